"""What the performance claims rest on: each module prints ratios, measured side by side in one run."""
