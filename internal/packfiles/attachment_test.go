package packfiles

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

func TestAttachmentType(t *testing.T) {
	for _, tt := range []struct {
		name, file, data, want string
		kind                   domain.Kind
	}{
		{name: "PDF", data: "%PDF-1.7\n…", want: "application/pdf"},
		{name: "PNG", data: "\x89PNG\r\n\x1a\n\x00\x00", want: "image/png"},
		{name: "JPEG", data: "\xFF\xD8\xFF\xE0", want: "image/jpeg"},
		{name: "WebP", data: "RIFF\x00\x00\x00\x00WEBPVP8 ", want: "image/webp"},
		{name: "its name", file: "a.PDF", data: "%PDF-1.7\n…", want: "application/pdf"},
		{name: "another's name", file: "a.png", data: "%PDF-1.7\n…", kind: domain.Invalid},
		{name: "text with another's name", file: "a.pdf", data: "minutes", kind: domain.Invalid},
		{name: "text with a name of its own", file: "a.eml", data: "minutes", want: "text/plain"},
		{name: "a name without an end", file: "scan v1.2", data: "\x89PNG\r\n\x1a\n\x00", want: "image/png"},
		{name: "text", data: "محضر الاجتماع\n1 < 2", want: "text/plain"},
		{name: "an SVG with a script", data: "<svg xmlns='x'><script>alert(1)</script></svg>", kind: domain.Unsupported},
		{name: "an SVG behind a comment", data: "<!-- x -->\n<SVG onload='x'/>", kind: domain.Unsupported},
		{name: "HTML", data: "<!DOCTYPE html><p>", kind: domain.Unsupported},
		{name: "a program", data: "\x7fELF\x02\x01\x00", kind: domain.Unsupported},
		{name: "nothing", data: "", kind: domain.Invalid},
		{name: "too large", data: string(bytes.Repeat([]byte("x"), pack.MaxAttachment+1)), kind: domain.TooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AttachmentType(tt.file, []byte(tt.data))
			if tt.want != "" {
				require.NoError(t, err)
				require.Equal(t, tt.want, got)
				return
			}
			require.Equal(t, tt.kind, domain.KindOf(err))
		})
	}
}
