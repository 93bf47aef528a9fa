package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"sanad/internal/domain"
)

// params are the parameters of rule SEC-2: 19 MiB, two passes, one lane.
var params = argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// decoyHash is a hash with params whose password was discarded. For an unknown name the password is checked against it,
// so that the answer takes as long as any other.
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

// Hash returns the PHC string of a password. It fails only when ctx ends.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer h.leave()
	return argon2id.CreateHash(normalPassword(password), &params)
}

// Check compares a password with a PHC string. If phc is "", as for an unknown name, it does the same work and returns
// false. A PHC string that is damaged, or asks for more work than this package's hashes do, is an Internal error.
func (h *Hasher) Check(ctx context.Context, password, phc string) (bool, error) {
	known := phc != "" && len(password) <= maxHashed
	if !known {
		phc, password = decoyHash, ""
	}
	if err := checkPHC(phc); err != nil {
		return false, &domain.Error{Kind: domain.Internal, Op: "auth.Check",
			Msg: "The stored password cannot be read; set a new one.", Err: err}
	}
	if err := h.enter(ctx); err != nil {
		return false, err
	}
	defer h.leave()
	same, err := argon2id.ComparePasswordAndHash(normalPassword(password), phc)
	return same && known, err
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

// errPHC says that a stored hash is unusable; it reveals nothing of the hash.
var errPHC = errors.New("not an argon2id hash with sensible parameters")

// checkPHC refuses parameters that would panic (no pass, no lane), match any password (an empty key), or let a database
// row exhaust memory or time.
func checkPHC(phc string) error {
	if len(phc) > 512 {
		return errPHC
	}
	p, _, _, err := argon2id.DecodeHash(phc)
	if err != nil {
		return fmt.Errorf("%w: %w", errPHC, err)
	}
	for _, v := range []struct{ got, least, most uint32 }{
		{p.Memory, 8 << 10, 1 << 20}, // KiB
		{p.Iterations, 1, 16},
		{uint32(p.Parallelism), 1, 16},
		{p.SaltLength, 8, 64},
		{p.KeyLength, 16, 64},
	} {
		if v.got < v.least || v.got > v.most {
			return errPHC
		}
	}
	return nil
}
