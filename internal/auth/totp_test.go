package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
)

// rfc is the secret of RFC 6238, appendix B; its codes below are the last six of the eight digits printed there.
var rfc = []byte("12345678901234567890")

func TestTOTPVectors(t *testing.T) {
	for unix, code := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471",
		1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		step, ok := auth.CheckTOTP(rfc, code, time.Unix(unix, 0))
		require.True(t, ok, code)
		require.Equal(t, unix/30, step)
	}
}

func TestTOTPWindow(t *testing.T) {
	at := time.Unix(1234567890, 0)
	for offset, want := range map[time.Duration]bool{-61 * time.Second: false, -30 * time.Second: true, 0: true,
		30 * time.Second: true, 60 * time.Second: false} {
		step, ok := auth.CheckTOTP(rfc, "005924", at.Add(offset))
		require.Equal(t, want, ok, offset)
		if ok {
			require.Equal(t, at.Unix()/30, step, "the code's own step, so that a replay has the same one")
		}
	}
}

func TestTOTPAsTyped(t *testing.T) {
	at := time.Unix(1234567890, 0)
	for code, want := range map[string]bool{
		"005924": true, "005 924": true, " 005-924 ": true, "٠٠٥٩٢٤": true, "۰۰۵ ۹۲۴": true, "００５９２４": true,
		"\u2066٠٠٥٩٢٤\u2069": true,
		"":                   false, "5924": false, "0059240": false, "005925": false, "00592a": false, "+05924": false,
		"005924\x00": false,
	} {
		_, ok := auth.CheckTOTP(rfc, code, at)
		require.Equal(t, want, ok, "%q", code)
	}
}

func TestTOTPWithoutSecret(t *testing.T) {
	for _, secret := range [][]byte{nil, {}, []byte("short")} {
		code, err := totp.GenerateCode("", noon)
		require.NoError(t, err)
		_, ok := auth.CheckTOTP(secret, code, noon)
		require.False(t, ok, "anybody could compute the code of an empty secret")
	}
	_, ok := auth.CheckTOTP(rfc, "755224", time.Unix(-1, 0))
	require.False(t, ok)
}

// The URI is parsed by a library that authors of such apps use.
func TestTOTPURI(t *testing.T) {
	secret := auth.NewTOTP()
	require.Len(t, secret, 20)
	for _, account := range []string{"aisha", "aisha@example.com", "عائشة", "a b:c&secret=x?#/%"} {
		uri := auth.TOTPURI(secret, account)
		require.Equal(t, 2, strings.Count(uri, ":"),
			"one after the scheme, one after the issuer; no account adds another")
		key, err := otp.NewKeyFromURL(uri)
		require.NoError(t, err)
		require.Equal(t, "totp", key.Type())
		require.Equal(t, "Sanad", key.Issuer())
		require.Equal(t, account, key.AccountName())
		require.EqualValues(t, 30, key.Period())
		code, err := totp.GenerateCode(key.Secret(), noon)
		require.NoError(t, err)
		step, ok := auth.CheckTOTP(secret, code, noon)
		require.True(t, ok)
		require.Equal(t, noon.Unix()/30, step)
		require.Equal(t, key.Secret(), strings.ReplaceAll(auth.TOTPText(secret), " ", ""))
	}
}

func FuzzCheckTOTP(f *testing.F) {
	f.Add(rfc, "005 924", int64(1234567890))
	f.Add([]byte{}, "٠٠٥٩٢٤", int64(-5))
	f.Fuzz(func(t *testing.T, secret []byte, code string, unix int64) {
		step, ok := auth.CheckTOTP(secret, code, time.Unix(unix, 0))
		if ok {
			require.InDelta(t, unix/30, step, 1)
			require.GreaterOrEqual(t, len(secret), 16)
		}
	})
}
