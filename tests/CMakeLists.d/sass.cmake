unit_test(sass_decode sass)
unit_test(sass_blocks sass)
