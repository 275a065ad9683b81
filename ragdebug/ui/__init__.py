"""What the pages are made of. Together with `pages/` and `app.py`, the only code with Streamlit."""
