package webtest

import (
	"net/url"
	"regexp"
	"testing"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"
)

// Form encodes fields given as name, value pairs.
func Form(pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v.Encode()
}

// FindGroup returns what the first group of a pattern matches in a page.
func FindGroup(t *testing.T, pattern, page string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(page)
	require.NotNil(t, m, "%s in %s", pattern, page)
	return m[1]
}

func (s *Server) Code(secret string) string {
	s.T.Helper()
	code, err := totp.GenerateCode(secret, s.Clock.Now())
	require.NoError(s.T, err)
	return code
}
