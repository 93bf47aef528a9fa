package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"

	"golang.org/x/text/unicode/norm"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// newHash has the parameters of rule SEC-2: 19 MiB, two passes, one lane.
var newHash = phcHash{memory: 19 << 10, passes: 2, lanes: 1, salt: make([]byte, 16), key: make([]byte, 32)}

// decoyHash is a hash with these parameters whose password was discarded. For an unknown name the password is checked
// against it, so that the answer takes as long as any other.
const decoyHash = "$argon2id$v=19$m=19456,t=2,p=1$30y5JbVMwdRqiQND9iMh7g$shr7MGJbVSwXENLDR79kfsirter2/0/NmH25fiT4WUU"

// maxHashed limits in bytes what is normalised and hashed: 128 characters take at most 512 bytes once normalised, and
// slightly more before. No stored password can match a longer input.
const maxHashed = 4096

// Hasher computes and checks argon2id hashes. It runs a limited number at once, since each takes much memory.
type Hasher struct{ slots chan struct{} }

// NewHasher returns a Hasher that runs at most concurrent hashes at once (at least 1).
func NewHasher(concurrent int) *Hasher {
	return &Hasher{slots: make(chan struct{}, max(1, concurrent))}
}

// Slots returns how many hashes run at once.
func (h *Hasher) Slots() int { return cap(h.slots) }

// Hash returns the PHC string of a password. It fails only when ctx ends.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer h.leave()
	n := newHash
	n.salt = make([]byte, len(newHash.salt))
	rand.Read(n.salt)
	n.key = n.derive(password)
	return n.String(), nil
}

// Check compares a password with a PHC string. If phc is "", as for an unknown name, it does the same work and returns
// false. A PHC string that is damaged, or asks for more work than this package's hashes do, is an Internal error.
func (h *Hasher) Check(ctx context.Context, password, phc string) (bool, error) {
	known := phc != "" && len(password) <= maxHashed
	if !known {
		phc, password = decoyHash, ""
	}
	stored, err := parsePHC(phc)
	if err != nil {
		return false, &domain.Error{Kind: domain.Internal, Op: "auth.Check",
			Message: words.Msg("refused_stored_password_cannot"), Err: err}
	}
	if err := h.enter(ctx); err != nil {
		return false, err
	}
	defer h.leave()
	same := subtle.ConstantTimeCompare(stored.derive(password), stored.key) == 1
	return same && known, nil
}

// enter waits for a free slot. If ctx has ended, it fails even when a slot is free.
func (h *Hasher) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *Hasher) leave() { <-h.slots }

// normalPassword normalises a password to the same bytes for every keyboard and system, as NIST SP 800-63B advises.
func normalPassword(password string) string { return norm.NFKC.String(password) }
