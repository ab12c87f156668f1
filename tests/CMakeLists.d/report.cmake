unit_test(report_text report)
unit_test(report_next_steps report)
unit_test(report_kernel_notes report)
unit_test(report_stall_words report)
unit_test(report_fallacies report)
unit_test(report_source_stalls report)
unit_test(report_document report)
unit_test(report_json report)
unit_test(report_page report)

# The page, in a browser.
python_test(report.page tests/scripts/page.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs ${bin}/sgemm)
unit_test(report_csv report)

# What is promised of the JSON, and what is written.
python_test(report.schemas tests/scripts/schemas.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs ${bin}/sgemm)
