package app

import (
	"bytes"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
)

// RenderPack returns the function by which the store renders pack.md and pack.pdf, once, before a sign-off. tenant is
// the organisation that signs: its letterhead is of the moment of sign-off, and later ones change no signed file.
func RenderPack(tenant *db.Tenant) db.RenderPack {
	return func(f *pack.Frozen, life *pack.Life) (markdown, pdf []byte, err error) {
		d := packs.NewDocument(tenant.Name, f, life)
		d.Letter, d.Zone = &tenant.Letter, tenant.Zone()
		var md, file bytes.Buffer
		if err := packs.Markdown(&md, d); err != nil {
			return nil, nil, err
		}
		if err := packs.PDF(&file, d); err != nil {
			return nil, nil, err
		}
		return md.Bytes(), file.Bytes(), nil
	}
}

// ReadingPDF renders a pack for reading, in both languages or one. Until it is signed off every page says so; of a
// signed pack it is a rendering beside the signed file, which stays as it is. A draft's outcomes of the policy are
// those of now.
func ReadingPDF(tenant *db.Tenant, v *db.PackView, language string, now time.Time) ([]byte, error) {
	d := &packs.Document{Tenant: tenant.Name, Letter: &tenant.Letter, Zone: tenant.Zone(), Content: v.Content, JSON: v.JSON,
		Digest: v.Life.Digest, Life: *v.Life,
		Language: language, Draft: v.SignedAt.IsZero()}
	if d.Draft {
		d.Content.Policy = d.Content.PolicyNow(now, v.Life)
		d.Since = v.Since
		d.Looked = now.UTC().Format(time.RFC3339)
	}
	var file bytes.Buffer
	err := packs.PDF(&file, d)
	return file.Bytes(), err
}
