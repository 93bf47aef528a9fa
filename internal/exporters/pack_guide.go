package exporters

import (
	"fmt"
	"strings"

	"sanad/internal/domain/pack"
)

// verifyGuide writes VERIFY.md: how a stranger checks the pack, in English and Arabic, with the commands of rule F-10.
// The fingerprint in it is that of tenant.pub, which proves nothing: it says so.
func verifyGuide(c *pack.Content, files map[string][]byte) ([]byte, error) {
	key, err := pack.ParsePublic(files["tenant.pub"])
	if err != nil {
		return nil, fmt.Errorf("exporters.PackZip: tenant.pub: %w", err)
	}
	fill := strings.NewReplacer("{id}", c.PackID, "{digest}", pack.Digest(files["pack.json"]), "{fingerprint}", pack.Fingerprint(key), "~", "`")
	return []byte(fill.Replace(guideEnglish + "\n---\n\n" + guideArabic)), nil
}
