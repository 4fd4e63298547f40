"""The measurements behind the performance claims. Each module prints ratios, measured side by side in one run."""
