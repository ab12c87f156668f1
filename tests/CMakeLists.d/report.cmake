unit_test(report_text report)
unit_test(report_document report)
unit_test(report_json report)
