"""The machinery of torch-dojo: the seam, the plugin, the diagnosis and the reports."""
