package audit

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Checkpoint states a log's root at one size. Any two checkpoints of one origin must be consistent; a restore that
// abandons a later tree begins a new epoch, and with it a new origin (rules LOG-2 and LOG-4).
type Checkpoint struct {
	Tenant string // id
	Epoch  int64  // 1, 2, …
	Size   int64
	Root   Hash
}

// Origin is the name of the log: sanad/TENANT/EPOCH.
func (c *Checkpoint) Origin() string { return fmt.Sprintf("sanad/%s/%d", c.Tenant, c.Epoch) }

// Body returns the text that is signed (C2SP tlog-checkpoint): origin, size and root, one per line.
func (c *Checkpoint) Body() string {
	return fmt.Sprintf("%s\n%d\n%s\n", c.Origin(), c.Size, c.Root)
}

var errCheckpoint = errors.New("not a checkpoint of this kind of log")

// ParseBody reads what Body wrote, and refuses any other form: each checkpoint has exactly one text.
func ParseBody(text string) (Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[3] != "" {
		return Checkpoint{}, errCheckpoint
	}
	name := strings.Split(lines[0], "/")
	if len(name) != 3 || name[0] != "sanad" {
		return Checkpoint{}, errCheckpoint
	}
	epoch, err1 := strconv.ParseInt(name[2], 10, 64)
	size, err2 := strconv.ParseInt(lines[1], 10, 64)
	root, err3 := base64.StdEncoding.DecodeString(lines[2])
	c := Checkpoint{Tenant: name[1], Epoch: epoch, Size: size}
	copy(c.Root[:], root)
	if errors.Join(err1, err2, err3) != nil || epoch < 1 || size < 0 || len(root) != len(c.Root) || c.Body() != text {
		return Checkpoint{}, errCheckpoint
	}
	return c, nil
}

// Sign returns a checkpoint as a signed note. The signer's name must be the origin.
func Sign(c *Checkpoint, by note.Signer) (string, error) {
	if by.Name() != c.Origin() {
		return "", fmt.Errorf("the signer is %q, not %q", by.Name(), c.Origin())
	}
	text, err := note.Sign(&note.Note{Text: c.Body()}, by)
	return string(text), err
}

// Key is a public key that checkpoints may be signed with.
type Key struct {
	ID     string // OpenSSH fingerprint
	Public ed25519.PublicKey
}

// Claimed reads a note's checkpoint without verifying its signature. The caller must verify it before trusting the
// result.
func Claimed(text string) (Checkpoint, error) {
	body, _, found := strings.Cut(text, "\n\n")
	if !found {
		return Checkpoint{}, errCheckpoint
	}
	return ParseBody(body + "\n")
}

// Open verifies a signed note, and returns its checkpoint and the id of the known key that signed it.
func Open(text string, known []Key) (c Checkpoint, keyID string, err error) {
	if c, err = Claimed(text); err != nil {
		return Checkpoint{}, "", err
	}
	for _, k := range known {
		v, err := verifier(c.Origin(), k.Public)
		if err != nil {
			return Checkpoint{}, "", err
		}
		n, err := note.Open([]byte(text), note.VerifierList(v))
		if err != nil || n.Text != c.Body() {
			continue
		}
		// package note ignores the spare bits of base64, so two texts could carry one signature
		if _, err := base64.StdEncoding.Strict().DecodeString(n.Sigs[0].Base64); err == nil {
			return c, k.ID, nil
		}
	}
	return Checkpoint{}, "", errors.New("no known key has signed this checkpoint")
}

func verifier(name string, public ed25519.PublicKey) (note.Verifier, error) {
	text, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(text)
}
