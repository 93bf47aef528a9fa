package packs

import (
	"fmt"

	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// verifyGuide returns VERIFY.md, which explains to third parties in English and Arabic how to check the pack with
// the commands of rule F-10. The guide has the fingerprint of tenant.pub from the same zip; as it says itself,
// that proves nothing.
func verifyGuide(c *pack.Content, files map[string][]byte) ([]byte, error) {
	key, err := pack.ParsePublic(files["tenant.pub"])
	if err != nil {
		return nil, fmt.Errorf("packs.Zip: tenant.pub: %w", err)
	}
	values := []any{"ID", c.PackID, "StatementType", pack.PredicateType, "Digest", pack.Digest(files["pack.json"]), "Fingerprint", pack.Fingerprint(key)}
	en, ar := words.In("en").Text("verify_guide", values...), words.In("ar").Text("verify_guide", values...)
	return []byte(en + "\n---\n\n" + ar), nil
}
