package audit

import "time"

// PublicKey is a public key of a tenant: of its log, or of what it signs.
type PublicKey struct {
	ID        string // OpenSSH fingerprint, SHA256:…
	Purpose   string // "log", "sign"
	Public    []byte // Ed25519
	CreatedAt time.Time
	RetiredAt time.Time // zero for the one in use
}
