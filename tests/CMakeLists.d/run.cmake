# Programs started and ended: the parts alone, and headroom as a process that is sent signals.
unit_test(run_parts run)
python_test(run.signals tests/scripts/signals.py ${bin}/headroom)
python_test(run.interrupted_prediction tests/scripts/interrupted_prediction.py ${bin}/headroom ${bin}/sgemm)
