"""The plugin is tested by pytest's own pytester, which runs pytest on small files."""
pytest_plugins = ["pytester"]
