unit_test(ptx_forms ptx)
unit_test(ptx_parse ptx)
