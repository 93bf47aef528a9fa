package auth_test

import (
	"errors"
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
		{desc: "words", password: "orbit lemon stairs", login: "aisha"},
		{desc: "eight characters", password: "kq7#mVz2", login: "aisha"},
		{desc: "Arabic words", password: "قمر نافذة سبعة", login: "aisha"},
		{desc: "eight Arabic letters", password: "نخلةوبحر", login: "aisha"},
		{desc: "128 characters", password: strings.Repeat("ab", 64), login: "aisha"},
		{desc: "the login among other words", password: "aisha orbit lemon", login: "aisha"},
		{desc: "a login of one letter", password: "banana boat", login: "a"},
		{desc: "no login", password: "orbit lemon stairs"},
		{desc: "a common word and five digits", password: "sunshine48215", login: "aisha"},

		{desc: "empty", login: "aisha", want: auth.ErrPasswordShort},
		{desc: "seven characters", password: "kq7#mVz", login: "aisha", want: auth.ErrPasswordShort},
		{
			desc: "seven Arabic letters are fourteen bytes", password: "نخلةبحر", login: "aisha",
			want: auth.ErrPasswordShort,
		},
		{
			desc: "129 characters", password: strings.Repeat("a", 128) + "b", login: "aisha",
			want: auth.ErrPasswordLong,
		},
		{
			desc: "a ligature of 18 letters counts as these", password: strings.Repeat("ﷺ", 8), login: "aisha",
			want: auth.ErrPasswordLong,
		},
		{desc: "a megabyte", password: strings.Repeat("ab", 1<<19), login: "aisha", want: auth.ErrPasswordLong},
		{desc: "control character", password: "orbit\nlemon", login: "aisha", want: auth.ErrPasswordSigns},
		{desc: "NUL", password: "orbit\x00lemon", login: "aisha", want: auth.ErrPasswordSigns},
		{desc: "invalid UTF-8", password: "orbit\xfflemon", login: "aisha", want: auth.ErrPasswordSigns},
		{desc: "one character", password: "zzzzzzzzzzzz", login: "aisha", want: auth.ErrPasswordRepeated},
		{desc: "one character in both cases", password: "ZzZzZzZz", login: "aisha", want: auth.ErrPasswordRepeated},
		{desc: "spaces only", password: "          ", login: "aisha", want: auth.ErrPasswordRepeated},
		{desc: "one Arabic letter", password: "ههههههههه", login: "aisha", want: auth.ErrPasswordRepeated},
		{desc: "the login", password: "Aisha.Khan", login: "aisha.khan", want: auth.ErrPasswordLogin},
		{desc: "the login twice", password: "aishaaisha", login: "aisha", want: auth.ErrPasswordLogin},
		{desc: "the login and three digits", password: "aisha123", login: "AISHA", want: auth.ErrPasswordLogin},
		{desc: "the login in full width", password: "ａｉｓｈａ１２３", login: "aisha", want: auth.ErrPasswordLogin},
		{
			desc: "the part before the @", password: "Aisha2!!", login: "aisha@example.com",
			want: auth.ErrPasswordLogin,
		},
		{desc: "an Arabic login", password: "عائشةعائشة", login: "عائشة", want: auth.ErrPasswordLogin},
		{desc: "common", password: "password", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "common in another case", password: "PassWord", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "common in full width", password: "ｐａｓｓｗｏｒｄ", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "common with spaces", password: "pass word", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "common with a year", password: "Password2026", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "common with signs", password: "Password1!", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "Arabic-Indic digits", password: "١٢٣٤٥٦٧٨", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "Persian digits", password: "۱۲۳۴۵۶۷۸", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "password on an Arabic keyboard", password: "حشسسصخقي", login: "aisha", want: auth.ErrPasswordCommon},
		{
			desc: "football on an Arabic keyboard, lam-alef", password: "بخخفلاشمم", login: "aisha",
			want: auth.ErrPasswordCommon,
		},
		{desc: "qwertyui on an Arabic keyboard", password: "ضصثقفغعه", login: "aisha", want: auth.ErrPasswordCommon},
		{desc: "a pious phrase", password: "الحمد لله", login: "aisha", want: auth.ErrPasswordCommon},
		{
			desc: "a pious phrase in Latin letters", password: "Alhamdulillah", login: "aisha",
			want: auth.ErrPasswordCommon,
		},
		{desc: "a name in chat spelling", password: "7abibi123", login: "aisha", want: auth.ErrPasswordCommon},
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
			if len(c.password) > 0 && len(strings.TrimSpace(c.password)) > 0 && !errors.Is(c.want,
				auth.ErrPasswordCommon) {
				require.NotContains(t, err.Error(), c.password, "no error repeats a password")
			}
		})
	}
}

// The lists are binary-searched, so a line out of order would be missed.
func TestCommonLists(t *testing.T) {
	for _, name := range []string{"words/common.txt", "words/arabic.txt"} {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		require.Greater(t, len(lines), 100, name)
		require.True(t, slices.IsSorted(lines), name)
		require.Len(t, slices.Compact(slices.Clone(lines)), len(lines), "%s: no line twice", name)
		for _, line := range lines {
			require.GreaterOrEqual(t, utf8.RuneCountInString(line), auth.MinPassword, "%s: %q is too short anyway",
				name, line)
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
