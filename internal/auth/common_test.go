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
	forbidden, err := auth.ReadForbidden(strings.NewReader("Ministry Of Sand\r\n\nbluewhale١٢\n"))
	require.NoError(t, err)
	for _, c := range []struct {
		desc, password, login string
		withCode              bool
		want                  error
	}{
		{desc: "words", password: "orbit lemon stairs", login: "aisha"},
		{desc: "twelve characters", password: "kq7#mVz2kq7#", login: "aisha"},
		{desc: "eleven characters", password: "kq7#mVz2kq7", login: "aisha", want: auth.ErrPasswordShort},
		{desc: "eight characters", password: "kq7#mVz2", login: "aisha", want: auth.ErrPasswordShort},
		{desc: "eight characters and a code", password: "kq7#mVz2", login: "aisha", withCode: true},
		{
			desc: "seven characters and a code", password: "kq7#mVz", login: "aisha", withCode: true,
			want: auth.ErrPasswordTiny,
		},
		{desc: "twelve Arabic letters", password: "نخلةوبحرونجم", login: "aisha"},
		{
			desc: "eleven Arabic letters are twenty-two bytes", password: "نخلةوبحرنجم", login: "aisha",
			want: auth.ErrPasswordShort,
		},
		{desc: "twelve letters beyond the first plane", password: "𐎀𐎁𐎂𐎃𐎄𐎅𐎆𐎇𐎈𐎉𐎊𐎋", login: "aisha"},
		{
			desc: "eleven letters beyond the first plane", password: "𐎀𐎁𐎂𐎃𐎄𐎅𐎆𐎇𐎈𐎉𐎊", login: "aisha",
			want: auth.ErrPasswordShort,
		},
		{desc: "a letter and its accent are one", password: strings.Repeat("e\u0301a", 5), want: auth.ErrPasswordShort},
		{desc: "one sign that stands for eighteen letters", password: "ﷺ", want: auth.ErrPasswordShort},
		{desc: "forbidden by the operator", password: "ministryofsand", want: auth.ErrPasswordListed},
		{desc: "forbidden, with a year", password: "Ministry of Sand 2026", want: auth.ErrPasswordListed},
		{desc: "forbidden, other digits", password: "blue whale 12", want: auth.ErrPasswordListed},
		{desc: "forbidden, and a code", password: "ministryofsand", withCode: true, want: auth.ErrPasswordListed},
		{desc: "a forbidden word among others", password: "ministryofsand and sea"},
		{desc: "Arabic words", password: "قمر نافذة سبعة", login: "aisha"},
		{desc: "eight Arabic letters and a code", password: "نخلةوبحر", login: "aisha", withCode: true},
		{desc: "128 characters", password: strings.Repeat("orbit lemons", 10) + "stairs!!", login: "aisha"},
		{desc: "the login among other words", password: "aisha orbit lemon", login: "aisha"},
		{desc: "a login of one letter", password: "banana boats", login: "a"},
		{desc: "no login", password: "orbit lemon stairs"},
		{desc: "two common words", password: "sunshine dragons", login: "aisha"},

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
			desc: "a ligature of 18 letters counts as these", password: strings.Repeat("ﷺ", 12), login: "aisha",
			want: auth.ErrPasswordLong,
		},
		{desc: "a megabyte", password: strings.Repeat("ab", 1<<19), login: "aisha", want: auth.ErrPasswordLong},
		{desc: "control character", password: "orbit\nlemons", login: "aisha", want: auth.ErrPasswordSigns},
		{desc: "NUL", password: "orbit\x00lemons", login: "aisha", want: auth.ErrPasswordSigns},
		{desc: "invalid UTF-8", password: "orbit\xfflemon", login: "aisha", want: auth.ErrPasswordSigns},
		{desc: "one character", password: "zzzzzzzzzzzz", login: "aisha", withCode: true, want: auth.ErrPasswordRepeated},
		{desc: "one character in both cases", password: "ZzZzZzZz", login: "aisha", withCode: true, want: auth.ErrPasswordRepeated},
		{desc: "spaces only", password: "          ", login: "aisha", withCode: true, want: auth.ErrPasswordRepeated},
		{desc: "one Arabic letter", password: "ههههههههه", login: "aisha", withCode: true, want: auth.ErrPasswordRepeated},
		{desc: "the login", password: "Aisha.Khan", login: "aisha.khan", withCode: true, want: auth.ErrPasswordLogin},
		{desc: "the login twice", password: "aishaaisha", login: "aisha", withCode: true, want: auth.ErrPasswordLogin},
		{desc: "the login and three digits", password: "aisha123", login: "AISHA", withCode: true, want: auth.ErrPasswordLogin},
		{desc: "the login in full width", password: "ａｉｓｈａ１２３", login: "aisha", withCode: true, want: auth.ErrPasswordLogin},
		{
			desc: "the part before the @", password: "Aisha2!!", login: "aisha@example.com",
			withCode: true, want: auth.ErrPasswordLogin,
		},
		{desc: "an Arabic login", password: "عائشةعائشة", login: "عائشة", withCode: true, want: auth.ErrPasswordLogin},
		{desc: "common", password: "password", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "common in another case", password: "PassWord", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "common in full width", password: "ｐａｓｓｗｏｒｄ", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "common with spaces", password: "pass word", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "common with a year", password: "Password2026", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "common with signs", password: "Password1!", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "Arabic-Indic digits", password: "١٢٣٤٥٦٧٨", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "Persian digits", password: "۱۲۳۴۵۶۷۸", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "password on an Arabic keyboard", password: "حشسسصخقي", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{
			desc: "football on an Arabic keyboard, lam-alef", password: "بخخفلاشمم", login: "aisha",
			withCode: true, want: auth.ErrPasswordCommon,
		},
		{desc: "qwertyui on an Arabic keyboard", password: "ضصثقفغعه", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{desc: "a pious phrase", password: "الحمد لله", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
		{
			desc: "a pious phrase in Latin letters", password: "Alhamdulillah", login: "aisha",
			withCode: true, want: auth.ErrPasswordCommon,
		},
		{desc: "a name in chat spelling", password: "7abibi123", login: "aisha", withCode: true, want: auth.ErrPasswordCommon},
	} {
		t.Run(c.desc, func(t *testing.T) {
			err := auth.CheckPassword(auth.NewPassword{Password: c.password, Login: c.login, WithCode: c.withCode,
				Forbidden: forbidden})
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
			require.GreaterOrEqual(t, utf8.RuneCountInString(line), auth.MinPasswordWithCode,
				"%s: %q is too short anyway", name, line)
			for _, spelling := range []string{line, strings.ToUpper(line)} {
				require.Error(t, auth.CheckPassword(auth.NewPassword{Password: spelling, Login: "aisha", WithCode: true}),
					"%s: %q", name, spelling)
			}
		}
	}
}

func FuzzCheckPassword(f *testing.F) {
	f.Add("orbit lemon stairs", "aisha")
	f.Add("بخخفلاشمم", "عائشة")
	f.Add("\xff\xfe", "\xff")
	f.Add("aaaaaaaa", "")
	f.Fuzz(func(t *testing.T, password, login string) {
		n := auth.NewPassword{Password: password, Login: login, WithCode: len(login)%2 == 0}
		err := auth.CheckPassword(n)
		require.Equal(t, err == nil, auth.CheckPassword(n) == nil)
		if err != nil {
			require.Equal(t, domain.Invalid, domain.KindOf(err))
			return
		}
		require.GreaterOrEqual(t, utf8.RuneCountInString(password), 8)
		require.True(t, utf8.ValidString(password))
		require.NotEqual(t, strings.ToLower(login), strings.ToLower(password))
	})
}

func TestForbiddenLists(t *testing.T) {
	for name, text := range map[string]string{
		"not UTF-8": "one\ntwo\xff\n", "a line without end": strings.Repeat("x", 1<<20),
		"too large": strings.Repeat(strings.Repeat("y", 1023)+"\n", 64<<10+1),
	} {
		_, err := auth.ReadForbidden(strings.NewReader(text))
		require.Error(t, err, name)
	}
}
