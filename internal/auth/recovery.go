package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// RecoveryCodes returns ten codes, each of which replaces a one-time code once: four groups of four, 80 bits.
func RecoveryCodes() []string {
	codes := make([]string, 10)
	for i := range codes {
		c := base32Text.EncodeToString(random(10))
		codes[i] = strings.Join([]string{c[:4], c[4:8], c[8:12], c[12:]}, "-")
	}
	return codes
}

// HashRecovery is how a recovery code is stored and looked up, however it was typed (case, spaces, dashes, digits of
// the Arabic scripts). A fast hash is enough for 80 random bits.
func HashRecovery(code string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(typedCode(code))))
	return hex.EncodeToString(sum[:])
}
