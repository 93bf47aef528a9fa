package handlers

import "crypto/rand"

// newToken makes an unguessable token for a link (128 bits and more); only its hash is stored.
func newToken() string { return rand.Text() }
