"""The rating page: what it shows and keeps (desk), who may ask (guard), and the server that answers."""
