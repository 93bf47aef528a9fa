package app

import (
	"bytes"

	"sanad/internal/db"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
)

// RenderPack returns the function by which the store renders pack.md and pack.pdf, once, before a sign-off. tenant is
// the tenant's display name.
func RenderPack(tenant string) db.RenderPack {
	return func(f *pack.Frozen, life *pack.Life) (markdown, pdf []byte, err error) {
		d := exporters.NewPackDocument(tenant, f, life)
		var md, file bytes.Buffer
		if err := exporters.PackMarkdown(&md, d); err != nil {
			return nil, nil, err
		}
		if err := exporters.PackPDF(&file, d); err != nil {
			return nil, nil, err
		}
		return md.Bytes(), file.Bytes(), nil
	}
}
