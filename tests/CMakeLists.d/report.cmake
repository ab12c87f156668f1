unit_test(report_text report)
unit_test(report_document report)
unit_test(report_json report)
unit_test(report_page report)

# The page, in a browser.
python_test(report.page tests/scripts/page.py ${bin}/headroom ${CMAKE_BINARY_DIR}/tests/programs ${bin}/sgemm)
unit_test(report_csv report)
