package auth_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

func TestCheckPassword(t *testing.T) {
	for _, c := range []struct {
		desc, password, login string
		want                  error
	}{
		{"words", "orbit lemon stairs", "aisha", nil},
		{"eight characters", "kq7#mVz2", "aisha", nil},
		{"Arabic words", "قمر نافذة سبعة", "aisha", nil},
		{"eight Arabic letters", "نخلةوبحر", "aisha", nil},
		{"128 characters", strings.Repeat("ab", 64), "aisha", nil},
		{"the login among other words", "aisha orbit lemon", "aisha", nil},
		{"a login of one letter", "banana boat", "a", nil},
		{"no login", "orbit lemon stairs", "", nil},
		{"a common word and five digits", "sunshine48215", "aisha", nil},

		{"empty", "", "aisha", auth.ErrPasswordShort},
		{"seven characters", "kq7#mVz", "aisha", auth.ErrPasswordShort},
		{"seven Arabic letters are fourteen bytes", "نخلةبحر", "aisha", auth.ErrPasswordShort},
		{"129 characters", strings.Repeat("a", 128) + "b", "aisha", auth.ErrPasswordLong},
		{"a ligature of 18 letters counts as these", strings.Repeat("ﷺ", 8), "aisha", auth.ErrPasswordLong},
		{"a megabyte", strings.Repeat("ab", 1<<19), "aisha", auth.ErrPasswordLong},
		{"control character", "orbit\nlemon", "aisha", auth.ErrPasswordSigns},
		{"NUL", "orbit\x00lemon", "aisha", auth.ErrPasswordSigns},
		{"invalid UTF-8", "orbit\xfflemon", "aisha", auth.ErrPasswordSigns},
		{"one character", "zzzzzzzzzzzz", "aisha", auth.ErrPasswordRepeated},
		{"one character in both cases", "ZzZzZzZz", "aisha", auth.ErrPasswordRepeated},
		{"spaces only", "          ", "aisha", auth.ErrPasswordRepeated},
		{"one Arabic letter", "ههههههههه", "aisha", auth.ErrPasswordRepeated},
		{"the login", "Aisha.Khan", "aisha.khan", auth.ErrPasswordLogin},
		{"the login twice", "aishaaisha", "aisha", auth.ErrPasswordLogin},
		{"the login and three digits", "aisha123", "AISHA", auth.ErrPasswordLogin},
		{"the login in full width", "ａｉｓｈａ１２３", "aisha", auth.ErrPasswordLogin},
		{"the part before the @", "Aisha2!!", "aisha@example.com", auth.ErrPasswordLogin},
		{"an Arabic login", "عائشةعائشة", "عائشة", auth.ErrPasswordLogin},
		{"common", "password", "aisha", auth.ErrPasswordCommon},
		{"common in another case", "PassWord", "aisha", auth.ErrPasswordCommon},
		{"common in full width", "ｐａｓｓｗｏｒｄ", "aisha", auth.ErrPasswordCommon},
		{"common with spaces", "pass word", "aisha", auth.ErrPasswordCommon},
		{"common with a year", "Password2026", "aisha", auth.ErrPasswordCommon},
		{"common with signs", "Password1!", "aisha", auth.ErrPasswordCommon},
		{"Arabic-Indic digits", "١٢٣٤٥٦٧٨", "aisha", auth.ErrPasswordCommon},
		{"Persian digits", "۱۲۳۴۵۶۷۸", "aisha", auth.ErrPasswordCommon},
		{"password on an Arabic keyboard", "حشسسصخقي", "aisha", auth.ErrPasswordCommon},
		{"football on an Arabic keyboard, lam-alef", "بخخفلاشمم", "aisha", auth.ErrPasswordCommon},
		{"qwertyui on an Arabic keyboard", "ضصثقفغعه", "aisha", auth.ErrPasswordCommon},
		{"a pious phrase", "الحمد لله", "aisha", auth.ErrPasswordCommon},
		{"a pious phrase in Latin letters", "Alhamdulillah", "aisha", auth.ErrPasswordCommon},
		{"a name in chat spelling", "7abibi123", "aisha", auth.ErrPasswordCommon},
	} {
		t.Run(c.desc, func(t *testing.T) {
			err := auth.CheckPassword(c.password, c.login)
			if c.want == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, c.want)
			require.Equal(t, domain.Invalid, domain.KindOf(err))
			var ours *domain.Error
			require.ErrorAs(t, err, &ours)
			require.Equal(t, "password", ours.Path)
			if len(c.password) > 0 && len(strings.TrimSpace(c.password)) > 0 && c.want != auth.ErrPasswordCommon {
				require.NotContains(t, err.Error(), c.password, "no error repeats a password")
			}
		})
	}
}

// The lists are searched by halves: an unsorted line would be missed.
func TestCommonLists(t *testing.T) {
	for _, name := range []string{"words/common.txt", "words/arabic.txt"} {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		require.Greater(t, len(lines), 100, name)
		require.True(t, slices.IsSorted(lines), name)
		require.Equal(t, len(lines), len(slices.Compact(slices.Clone(lines))), "%s: no line twice", name)
		for _, line := range lines {
			require.GreaterOrEqual(t, utf8.RuneCountInString(line), auth.MinPassword, "%s: %q is too short anyway", name, line)
			require.Error(t, auth.CheckPassword(line, "aisha"), "%s: %q", name, line)
			require.Error(t, auth.CheckPassword(strings.ToUpper(line), "aisha"), "%s: %q", name, line)
		}
	}
}

func FuzzCheckPassword(f *testing.F) {
	f.Add("orbit lemon stairs", "aisha")
	f.Add("بخخفلاشمم", "عائشة")
	f.Add("\xff\xfe", "\xff")
	f.Add("aaaaaaaa", "")
	f.Fuzz(func(t *testing.T, password, login string) {
		err := auth.CheckPassword(password, login)
		require.Equal(t, err == nil, auth.CheckPassword(password, login) == nil)
		if err != nil {
			require.Equal(t, domain.Invalid, domain.KindOf(err))
			return
		}
		require.GreaterOrEqual(t, len(password), 3)
		require.True(t, utf8.ValidString(password))
		require.NotEqual(t, strings.ToLower(login), strings.ToLower(password))
	})
}

func BenchmarkCheckPassword(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if err := auth.CheckPassword("orbit lemon stairs", "aisha"); err != nil {
			b.Fatal(err)
		}
	}
}
