package importers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/gowebpki/jcs"

	"sanad/internal/domain/pack"
)

// signatureOf returns the envelope of an exported ledger, and the digest of the RFC 8785 form of the rest; nil if the
// file has none. It needs a few times the file's size in memory, and so runs only where a key is trusted.
func signatureOf(src string) (*pack.Envelope, string) {
	var file, sanad map[string]json.RawMessage
	if json.Unmarshal([]byte(src), &file) != nil || json.Unmarshal(file["sanad"], &sanad) != nil {
		return nil, ""
	}
	var envelope pack.Envelope
	if json.Unmarshal(sanad["signature"], &envelope) != nil {
		return nil, ""
	}
	delete(sanad, "signature")
	rest, err := json.Marshal(sanad)
	if err != nil {
		return nil, ""
	}
	file["sanad"] = rest
	whole, err := json.Marshal(file)
	if err != nil {
		return nil, ""
	}
	canonical, err := jcs.Transform(whole)
	if err != nil {
		return nil, ""
	}
	sum := sha256.Sum256(canonical)
	return &envelope, hex.EncodeToString(sum[:])
}
