package keys

import (
	"crypto/subtle"
	"hash"
)

// Fingerprint names the master key without telling anything about it, as 16 hex digits. It is stored.
func (b *Box) Fingerprint() string { return b.MAC("master-key", "fingerprint")[:16] }

// Reseal opens what Seal returned, and seals it for the same use with another master key. It checks that the other key
// opens the result to the same secret.
func (b *Box) Reseal(to *Box, context string, data []byte) ([]byte, error) {
	secret, err := b.Open(context, data)
	if err != nil {
		return nil, err
	}
	out, err := to.Seal(context, secret)
	if err != nil {
		return nil, err
	}
	again, err := to.Open(context, out)
	if err != nil || subtle.ConstantTimeCompare(again, secret) != 1 {
		return nil, ErrWrongKey
	}
	return out, nil
}

// Earlier computes the keyed hashes of a master key that is no longer in use; it opens nothing.
type Earlier struct{ mac []byte }

// NewMAC is Box.NewMAC with the earlier key.
func (e *Earlier) NewMAC(context string) hash.Hash { return newMAC(e.mac, context) }

// HandOver seals this key's subkey for MACs with another master key, from which TakeOver gets it.
func (b *Box) HandOver(to *Box, context string) ([]byte, error) { return to.Seal(context, b.mac) }

// TakeOver opens what another key handed over to this one.
func (b *Box) TakeOver(context string, data []byte) (*Earlier, error) {
	mac, err := b.Open(context, data)
	if err != nil {
		return nil, err
	}
	return &Earlier{mac}, nil
}
