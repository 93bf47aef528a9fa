package handlers_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
)

// half signs the viewer in up to the code and gives the cookie of the step.
func (s *server) half(next string) string {
	s.t.Helper()
	w := s.as("").post("/login?next="+url.QueryEscape(next), url.Values{"login": {"viewer"}, "password": {password}}.Encode())
	require.Equal(s.t, 303, w.Code)
	require.Equal(s.t, "/login/code", w.Header().Get("Location"))
	require.Nil(s.t, setCookie(w, "sanad"), "the password alone is no login")
	step := setCookie(w, "sanad-step")
	require.True(s.t, step.HttpOnly)
	require.Equal(s.t, 300, step.MaxAge)
	return "sanad-step=" + step.Value
}

func (s *server) giveCode(step, code string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.as("").post("/login/code", url.Values{"code": {code}}.Encode(), "Cookie", step)
}

func (s *server) currentCode(secret []byte) string {
	s.t.Helper()
	code, err := totp.GenerateCode(strings.ReplaceAll(auth.TOTPText(secret), " ", ""), s.clock.now())
	require.NoError(s.t, err)
	return code
}

func TestOneTimeCodes(t *testing.T) {
	s := newServer(t)
	secret, _ := s.authenticator()
	step := s.half("/sessions")
	require.Equal(t, 200, s.as("").do("GET", "/login/code", "", "Cookie", step).Code)
	require.Equal(t, 422, s.giveCode(step, "000000").Code)
	require.Equal(t, 303, s.as("").do("GET", "/", "", "Cookie", step).Code, "the step is no login")
	code := s.currentCode(secret)
	w := s.giveCode(step, code)
	require.Equal(t, 303, w.Code)
	require.Equal(t, "/sessions", w.Header().Get("Location"), "where the login was to lead")
	require.NotNil(t, setCookie(w, "sanad"))
	require.Equal(t, 422, s.giveCode(s.half("/"), code).Code, "no code counts twice")
	s.clock.move(30 * time.Second)
	require.Equal(t, 303, s.giveCode(s.half("/"), s.currentCode(secret)).Code)
}

func TestRecoveryCodes(t *testing.T) {
	s := newServer(t)
	_, codes := s.authenticator()
	require.Equal(t, 303, s.giveCode(s.half("/"), codes[3]).Code)
	require.Equal(t, 422, s.giveCode(s.half("/"), codes[3]).Code, "each counts once")
	require.Equal(t, 303, s.giveCode(s.half("/"), codes[4]).Code)
}

func TestTheStepEnds(t *testing.T) {
	s := newServer(t)
	secret, _ := s.authenticator()
	step := s.half("/")
	s.clock.move(5 * time.Minute)
	w := s.giveCode(step, s.currentCode(secret))
	require.Equal(t, "/login", w.Header().Get("Location"))
	require.Nil(t, setCookie(w, "sanad"))
	bent := []byte(s.half("/"))
	bent[len(bent)-5] ^= 1
	require.Equal(t, "/login", s.giveCode(string(bent), s.currentCode(secret)).Header().Get("Location"))
}

// What the login asked for, a confirmation asks for too: else a password alone would take the second step away.
func TestConfirmAsksForTheCodeToo(t *testing.T) {
	s := newServer(t)
	secret, codes := s.authenticator()
	page := s.as("viewer").do("GET", "/confirm", "").Body.String()
	require.Contains(t, page, `name="code"`)
	require.NotContains(t, s.as("admin").do("GET", "/confirm", "").Body.String(), `name="code"`, "who has none is not asked")
	confirm := func(pass, code string) *httptest.ResponseRecorder {
		return s.as("viewer").post("/confirm", url.Values{"password": {pass}, "code": {code}}.Encode())
	}
	code := s.currentCode(secret)
	for name, w := range map[string]*httptest.ResponseRecorder{
		"no code": confirm(password, ""), "wrong code": confirm(password, "000000"), "wrong password": confirm("wrong", code),
	} {
		require.Equal(t, 422, w.Code, name)
		require.Nil(t, setCookie(w, "sanad"), name)
	}
	w := confirm(password, code)
	require.Equal(t, 303, w.Code, "a code that came with a wrong password was not used up")
	s.people["viewer"].cookie = setCookie(w, "sanad").Value
	require.Equal(t, 422, confirm(password, code).Code, "no code counts twice")
	require.Equal(t, 303, confirm(password, codes[0]).Code)
}

// A right password does not begin the count of wrong codes anew.
func TestCodesAreThrottledWithThePassword(t *testing.T) {
	s := newServer(t)
	secret, _ := s.authenticator()
	for range 5 {
		require.Equal(t, 422, s.giveCode(s.half("/"), "000000").Code)
	}
	w := s.signIn("viewer", password)
	require.Equal(t, 429, w.Code)
	s.clock.move(time.Second)
	step := s.half("/")
	require.Equal(t, 422, s.giveCode(step, "000000").Code)
	require.Equal(t, 429, s.giveCode(step, s.currentCode(secret)).Code)
}
