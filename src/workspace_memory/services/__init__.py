"""Use cases: each public function authorizes, reads, lets the domain decide, and writes in one transaction."""
