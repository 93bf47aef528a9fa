package handlers

import (
	"bytes"

	"sanad/internal/db"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
)

// RenderPack gives what the store makes pack.md and pack.pdf with, once, before a sign-off; tenant is the name that readers
// know.
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
