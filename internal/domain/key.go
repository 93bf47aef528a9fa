package domain

import "time"

// PublicKey is a public key of a tenant.
type PublicKey struct {
	ID        string // OpenSSH fingerprint, SHA256:…
	Purpose   string // "log", "sign"
	Public    []byte // Ed25519
	CreatedAt time.Time
	RetiredAt time.Time // zero for the one in use
}
