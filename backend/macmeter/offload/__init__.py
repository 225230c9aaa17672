"""Work in processes beside the server's, so that nothing heavy keeps other requests waiting."""
