unit_test(report_text report)
