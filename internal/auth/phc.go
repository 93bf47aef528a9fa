package auth

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// phcHash is an argon2id hash as its PHC string has it:
// $argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<key>, the last two in base64 without padding.
// Stored: a string that was written once is read by every later version.
type phcHash struct {
	memory uint32 // KiB
	passes uint32
	lanes  uint8
	salt   []byte
	key    []byte
}

// String returns the PHC string.
func (h *phcHash) String() string {
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, h.memory, h.passes, h.lanes, text(h.salt), text(h.key))
}

// derive returns the key of a password with the salt, parameters and key length of h.
func (h *phcHash) derive(password string) []byte {
	return argon2.IDKey([]byte(normalPassword(password)), h.salt, h.passes, h.memory, h.lanes, uint32(len(h.key)))
}

// errPHC says that a stored hash is unusable; it reveals nothing of the hash.
var errPHC = errors.New("not an argon2id hash with sensible parameters")

// parsePHC reads a PHC string exactly as String writes it. It refuses parameters that would panic (no pass, no lane),
// match any password (an empty key), or let a database row exhaust memory or time.
func parsePHC(phc string) (*phcHash, error) {
	if len(phc) > 512 {
		return nil, errPHC
	}
	var h phcHash
	var version int
	fields := strings.Split(phc, "$")
	if len(fields) != 6 {
		return nil, errPHC
	}
	_, err := fmt.Sscanf(fields[2]+" "+fields[3], "v=%d m=%d,t=%d,p=%d", &version, &h.memory, &h.passes, &h.lanes)
	if err != nil {
		return nil, errPHC
	}
	if h.salt, err = base64.RawStdEncoding.Strict().DecodeString(fields[4]); err != nil {
		return nil, errPHC
	}
	if h.key, err = base64.RawStdEncoding.Strict().DecodeString(fields[5]); err != nil {
		return nil, errPHC
	}
	for _, v := range []struct{ got, least, most int }{
		{int(h.memory), 8 << 10, 1 << 20}, // KiB
		{int(h.passes), 1, 16},
		{int(h.lanes), 1, 16},
		{len(h.salt), 8, 64},
		{len(h.key), 16, 64},
	} {
		if v.got < v.least || v.got > v.most {
			return nil, errPHC
		}
	}
	if h.String() != phc {
		return nil, errPHC
	}
	return &h, nil
}
