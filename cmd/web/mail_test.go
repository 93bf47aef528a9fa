package main

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// mailbox is a real SMTP server that keeps the last message.
type mailbox struct{ got []byte }

func (m *mailbox) NewSession(*smtp.Conn) (smtp.Session, error) { return m, nil }
func (m *mailbox) Reset()                                      {}
func (m *mailbox) Logout() error                               { return nil }
func (m *mailbox) Mail(string, *smtp.MailOptions) error        { return nil }
func (m *mailbox) Rcpt(to string, _ *smtp.RcptOptions) error {
	if to == "nobody@people.test" {
		return &smtp.SMTPError{Code: 550, Message: "no such person"}
	}
	return nil
}

func (m *mailbox) Data(r io.Reader) (err error) {
	m.got, err = io.ReadAll(r)
	return err
}

func (m *mailbox) listen(t *testing.T) (port string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := smtp.NewServer(m)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

func TestMailFlags(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(secret, []byte("hidden words\n"), 0o600))
	good := mailFlags{host: "mail.example", security: "starttls", from: "sanad@example.org", user: "u", passwordFile: secret,
		daily: "07:00", zone: "Asia/Riyadh"}
	m, err := good.read("https://sanad.example")
	require.NoError(t, err)
	require.Equal(t, 587, m.server.Port)
	require.Equal(t, "hidden words", m.server.Password)
	require.Equal(t, "sanad.example", m.server.Hello)
	none, err := (&mailFlags{security: "starttls", daily: "07:00", zone: "UTC"}).read("")
	require.NoError(t, err)
	require.Nil(t, none)
	for says, change := range map[string]func(*mailFlags){
		"--smtp-host is needed": func(f *mailFlags) { f.host = "" },
		"give only a name":      func(f *mailFlags) { f.host = "mail.example:25" },
		"is not one of":         func(f *mailFlags) { f.security = "ssl" },
		"is no port":            func(f *mailFlags) { f.port = 70000 },
		"give an address":       func(f *mailFlags) { f.from = "Sanad <sanad@example.org>" },
		"go together":           func(f *mailFlags) { f.user = "" },
		"in the clear":          func(f *mailFlags) { f.security = "plain" },
		"--smtp-password-file":  func(f *mailFlags) { f.passwordFile = secret + ".gone" },
		"time of day":           func(f *mailFlags) { f.daily = "noon" },
		"neither a time zone":   func(f *mailFlags) { f.zone = "Mars/Base" },
	} {
		f := good
		change(&f)
		_, err := f.read("https://sanad.example")
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "hidden words")
	}
	_, err = good.read("")
	require.ErrorContains(t, err, "--public-url")
}

func TestMailTestCommand(t *testing.T) {
	box := &mailbox{}
	port := box.listen(t)
	try := func(args ...string) (int, string) {
		all := append([]string{"mail", "test", "--smtp-host", "127.0.0.1", "--smtp-port", port, "--mail-from", "sanad@sanad.test"}, args...)
		code, out, errs := call(t, "", all...)
		return code, out + errs
	}
	code, says := try("--smtp-tls", "plain", "sara@people.test")
	require.Zero(t, code, says)
	require.Contains(t, says, "took the message to sara@people.test")
	require.Contains(t, string(box.got), "Subject: Test message from Sanad")
	code, says = try("--smtp-tls", "plain", "nobody@people.test")
	require.Equal(t, exitFailed, code)
	require.Contains(t, says, "refuses the message for good")
	code, says = try("sara@people.test")
	require.Equal(t, exitFailed, code)
	require.Contains(t, says, "the connection cannot be secured", "TLS is the default")
}

// Doctor connects to the mail server and sends nothing.
func TestDoctorTriesTheMailServer(t *testing.T) {
	box := &mailbox{}
	port := box.listen(t)
	dir, key := soundStore(t)
	flags := []string{"--data", dir, "--master-key-file", key, "--public-url", "https://sanad.example", "--smtp-host", "127.0.0.1",
		"--smtp-port", port, "--mail-from", "sanad@sanad.test"}
	found, _ := asked(t, append(flags, "--smtp-tls", "plain")...)
	require.Equal(t, stateOK, found["mail server"].State, "%+v", found["mail server"])
	require.Empty(t, box.got)
	found, _ = asked(t, flags...)
	require.Equal(t, stateFault, found["mail server"].State)
	require.Contains(t, found["mail server"].Says, "cannot be secured")
}
