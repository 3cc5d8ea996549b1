"""The models held to public descriptions of the API."""
