package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func TestSlice(t *testing.T) {
	const s = "aé\xff漢b"
	for _, c := range []struct {
		sp   text.Span
		want string
	}{
		{text.Span{Start: 0, End: 5}, s}, {text.Span{Start: 1, End: 3}, "é\xff"}, {text.Span{Start: 3, End: 99}, "漢b"},
		{text.Span{Start: -5, End: 1}, "a"}, {text.Span{Start: 3, End: 2}, ""}, {text.Span{Start: 9, End: 12}, ""},
		{text.Span{Start: -5, End: -1}, ""}, {text.Span{Start: 0, End: 1 << 62}, s},
	} {
		require.Equal(t, c.want, text.Slice(s, c.sp), "%v", c.sp)
		require.Equal(t, c.want, text.NewRuler(s).Slice(c.sp), "%v", c.sp)
	}
}

func TestRuler(t *testing.T) {
	s := ""
	for range 100 {
		s += "aé漢\xff😀"
	}
	r, cp := text.NewRuler(s), 0
	for i := range s {
		require.Equal(t, cp, r.Offset(i))
		require.Equal(t, i, r.Byte(cp))
		cp++
	}
	require.Equal(t, cp, r.Offset(len(s)))
	require.Equal(t, len(s), r.Byte(cp))
	require.Equal(t, 2, r.Offset(4), "inside a code point")
}

func TestScript(t *testing.T) {
	for _, c := range [][2]string{
		{"", "none"}, {"123 - 5", "none"}, {"Hello", "latin"}, {"12 مرحبا", "ar"},
		{"مرحبا hello there", "mixed"}, {"漢字", "other"}, {"שלום", "other"}, {"\xff\xfe", "none"},
	} {
		require.Equal(t, c[1], text.Script(c[0]), c[0])
	}
}

func TestCleanControls(t *testing.T) {
	require.Equal(t, "invoicefdp.exe", text.CleanControls("invoice\u202efdp.exe"))
	require.Equal(t, "a\tb\nc", text.CleanControls("a\tb\nc\x00\x1b\u2066\u061c"))
	require.True(t, text.HasControl("a\u200fb"))
	require.False(t, text.HasControl("a\nb مرحبا"))
}
