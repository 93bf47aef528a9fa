package accounts_test

import (
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

func TestOneTimeCodes(t *testing.T) {
	s := webtest.NewServer(t)
	secret, _ := s.Authenticator()
	step := s.SignInUntilCode("/sessions")
	require.Equal(t, 200, s.As("").Do("GET", "/login/code", "", "Cookie", step).Code)
	require.Equal(t, 422, s.GiveCode(step, "000000").Code)
	require.Equal(t, 303, s.As("").Do("GET", "/", "", "Cookie", step).Code, "the step is no login")
	code := s.CurrentCode(secret)
	w := s.GiveCode(step, code)
	require.Equal(t, 303, w.Code)
	require.Equal(t, "/sessions", w.Header().Get("Location"), "where the login was to lead")
	require.NotNil(t, webtest.SetCookie(w, "sanad"))
	require.Equal(t, 422, s.GiveCode(s.SignInUntilCode("/"), code).Code, "no code counts twice")
	s.Clock.Move(30 * time.Second)
	require.Equal(t, 303, s.GiveCode(s.SignInUntilCode("/"), s.CurrentCode(secret)).Code)
}

func TestRecoveryCodes(t *testing.T) {
	s := webtest.NewServer(t)
	_, codes := s.Authenticator()
	require.Equal(t, 303, s.GiveCode(s.SignInUntilCode("/"), codes[3]).Code)
	require.Equal(t, 422, s.GiveCode(s.SignInUntilCode("/"), codes[3]).Code, "each counts once")
	require.Equal(t, 303, s.GiveCode(s.SignInUntilCode("/"), codes[4]).Code)
}

func TestCodeStepExpires(t *testing.T) {
	s := webtest.NewServer(t)
	secret, _ := s.Authenticator()
	step := s.SignInUntilCode("/")
	s.Clock.Move(5 * time.Minute)
	w := s.GiveCode(step, s.CurrentCode(secret))
	require.Equal(t, "/login", w.Header().Get("Location"))
	require.Nil(t, webtest.SetCookie(w, "sanad"))
	bent := []byte(s.SignInUntilCode("/"))
	bent[len(bent)-5] ^= 1
	require.Equal(t, "/login", s.GiveCode(string(bent), s.CurrentCode(secret)).Header().Get("Location"))
}

// A confirmation asks for the code if the login did: otherwise the password alone would be enough to disable the codes.
func TestConfirmAsksForTheCodeToo(t *testing.T) {
	s := webtest.NewServer(t)
	secret, codes := s.Authenticator()
	page := s.As("viewer").Do("GET", "/confirm", "").Body.String()
	require.Contains(t, page, `name="code"`)
	require.NotContains(t, s.As("admin").Do("GET", "/confirm", "").Body.String(), `name="code"`,
		"who has none is not asked")
	confirm := func(pass, code string) *httptest.ResponseRecorder {
		return s.As("viewer").Post("/confirm", url.Values{"password": {pass}, "code": {code}}.Encode())
	}
	code := s.CurrentCode(secret)
	for name, w := range map[string]*httptest.ResponseRecorder{
		"no code": confirm(webtest.Password, ""), "wrong code": confirm(webtest.Password, "000000"),
		"wrong password": confirm("wrong", code),
	} {
		require.Equal(t, 422, w.Code, name)
		require.Nil(t, webtest.SetCookie(w, "sanad"), name)
	}
	w := confirm(webtest.Password, code)
	require.Equal(t, 303, w.Code, "a code that came with a wrong password was not used up")
	s.Person("viewer").Cookie = webtest.SetCookie(w, "sanad").Value
	require.Equal(t, 422, confirm(webtest.Password, code).Code, "no code counts twice")
	require.Equal(t, 303, confirm(webtest.Password, codes[0]).Code)
}

// A changed password ends a login that waits for its code.
func TestChangedPasswordEndsTheStep(t *testing.T) {
	s := webtest.NewServer(t)
	secret, codes := s.Authenticator()
	step := s.SignInUntilCode("/")
	w := s.As("viewer").Post("/account/password", url.Values{"current": {webtest.Password},
		"new": {"another password of hers"}, "again": {"another password of hers"}}.Encode())
	require.Equal(t, 303, w.Code, w.Body.String())
	for _, code := range []string{s.CurrentCode(secret), codes[0]} {
		w := s.GiveCode(step, code)
		require.Equal(t, "/login", w.Header().Get("Location"))
		require.Nil(t, webtest.SetCookie(w, "sanad"))
	}
}

// Where codes are asked for, the password alone does not end the count of failures: else whoever has it could guess
// codes in between without a delay.
func TestThePasswordAloneResetsNoCodes(t *testing.T) {
	s := webtest.NewServer(t)
	secret, _ := s.Authenticator()
	confirm := func(code string) int {
		return s.As("viewer").Post("/confirm", url.Values{"password": {webtest.Password}, "code": {code}}.Encode()).Code
	}
	for range 4 {
		require.Equal(t, 422, confirm("000000"))
	}
	next := "another password of hers"
	w := s.As("viewer").Post("/account/password",
		url.Values{"current": {webtest.Password}, "new": {next}, "again": {next}}.Encode())
	require.Equal(t, 303, w.Code, w.Body.String())
	require.Equal(t, 422, s.As("viewer").Post("/confirm", url.Values{"password": {next}, "code": {"000000"}}.Encode()).Code)
	require.Equal(t, 429, s.As("viewer").Post("/confirm",
		url.Values{"password": {next}, "code": {s.CurrentCode(secret)}}.Encode()).Code)
}

// A right password does not reset the count of wrong codes.
func TestCodesAreThrottledWithThePassword(t *testing.T) {
	s := webtest.NewServer(t)
	secret, _ := s.Authenticator()
	for range 5 {
		require.Equal(t, 422, s.GiveCode(s.SignInUntilCode("/"), "000000").Code)
	}
	w := s.SignIn("viewer", webtest.Password)
	require.Equal(t, 429, w.Code)
	s.Clock.Move(time.Second)
	step := s.SignInUntilCode("/")
	require.Equal(t, 422, s.GiveCode(step, "000000").Code)
	require.Equal(t, 429, s.GiveCode(step, s.CurrentCode(secret)).Code)
}
