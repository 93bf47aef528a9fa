package filetype_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/filetype"
)

func TestShortName(t *testing.T) {
	for name, tt := range map[string]struct{ name, want string }{
		"none":                 {"", ""},
		"as long as it may be": {strings.Repeat("ع", 200), strings.Repeat("ع", 200)},
		"too long":             {strings.Repeat("ع", 200) + ".json", "…" + strings.Repeat("ع", 194) + ".json"},
		"bytes of no text":     {"fees\xff.json", "fees\uFFFD.json"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, filetype.ShortName(tt.name)) })
	}
}
