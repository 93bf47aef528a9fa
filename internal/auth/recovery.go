package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// RecoveryCodes returns ten codes, each of which replaces a one-time code once: seven groups of four, 140 bits.
func RecoveryCodes() []string {
	codes := make([]string, 10)
	for i := range codes {
		codes[i] = grouped(base32Text.EncodeToString(random(20))[:secretGroups*4])
	}
	return codes
}

// HashRecovery is how a recovery code is stored and looked up, however it was typed (case, spaces, dashes, digits of
// the Arabic scripts). A fast hash is enough for so many random bits.
func HashRecovery(code string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(typedCode(code))))
	return hex.EncodeToString(sum[:])
}
