"""Calibration: measurements whose right result is known beforehand."""
