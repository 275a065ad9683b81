"""The parts of a page that Streamlit does not have: see the module of each."""
