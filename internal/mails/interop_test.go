package mails_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/e2e/interop"
	"sanad/internal/mails"
)

// aiosmtpd is a mail server in Python (Debian: python3-aiosmtpd) that demands STARTTLS and a login. It prints its port,
// then what Python's own parser reads in each message that it takes.
const aiosmtpd = `import asyncio, json, ssl, sys
from email import message_from_bytes, policy
from aiosmtpd.smtp import SMTP, AuthResult

class Handler:
    async def handle_DATA(self, server, session, envelope):
        m = message_from_bytes(envelope.original_content, policy=policy.default)
        print(json.dumps({"to": envelope.rcpt_tos, "subject": m["Subject"], "auto": m["Auto-Submitted"],
            "id": m["Message-ID"], "tls": session.ssl is not None, "login": session.authenticated,
            "faults": [str(d) for p in m.walk() for d in p.defects],
            "text": m.get_body(("plain",)).get_content(), "html": m.get_body(("html",)).get_content()}), flush=True)
        return "250 OK"

def check(server, session, envelope, mechanism, data):
    return AuthResult(success=data.login == b"` + user + `" and data.password == b"` + password + `")

async def main():
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(sys.argv[1], sys.argv[2])
    loop = asyncio.get_running_loop()
    s = await loop.create_server(lambda: SMTP(Handler(), hostname="relay.test", tls_context=tls, require_starttls=True,
        auth_required=True, authenticator=check, loop=loop), "127.0.0.1", 0)
    print(s.sockets[0].getsockname()[1], flush=True)
    await s.serve_forever()

asyncio.run(main())
`

// A mail server that we did not write, and a parser that we did not write, take and read our mails in both languages.
func TestIndependentServer(t *testing.T) {
	const python = "/usr/bin/python3" // the system's, which has Debian's packages
	interop.Need(t, python)
	out, err := exec.Command(python, "-c", "import aiosmtpd").CombinedOutput()
	require.NoError(t, err, "this test needs Debian's python3-aiosmtpd: %s", out)
	dir := t.TempDir()
	cert, key, trust := interop.NewCertificate(t, dir, 1)
	script := filepath.Join(dir, "relay.py")
	require.NoError(t, os.WriteFile(script, []byte(aiosmtpd), 0o600))
	server := exec.Command(python, script, cert, key)
	server.Stderr = os.Stderr
	pipe, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	lines := bufio.NewReader(pipe)
	first, err := lines.ReadString('\n')
	require.NoError(t, err)
	port, err := strconv.Atoi(strings.TrimSpace(first))
	require.NoError(t, err)

	for lang, subject := range map[string]string{"en": "Somebody mentioned you", "ar": "أُشير إليك في تعليق"} {
		d := newDesk(t, relayOptions{})
		d.edit = func(o *mails.Options) { o.Server.Port, o.Server.Roots = port, trust }
		d.settings("approver", func(s *db.MailSettings) { s.Lang = lang })
		id := d.session()
		d.mention(id, "approver")
		d.Clock.Move(grace)
		_, stop := d.run()
		line, err := lines.ReadBytes('\n')
		require.NoError(t, err)
		d.calm()
		stop()
		var got struct {
			To                      []string
			Subject, Auto, ID, Text string
			HTML                    string
			TLS, Login              bool
			Faults                  []string
		}
		require.NoError(t, json.Unmarshal(line, &got))
		require.Equal(t, []string{"approver@people.test"}, got.To)
		require.Equal(t, subject, got.Subject)
		require.Equal(t, "auto-generated", got.Auto)
		require.True(t, got.TLS)
		require.True(t, got.Login)
		require.Empty(t, got.Faults, "the parser finds nothing wrong")
		require.Contains(t, got.Text, "https://sanad.test/sessions/"+id)
		require.Contains(t, got.HTML, `lang="`+lang+`"`)
		require.Empty(t, d.summary())
		t.Logf("aiosmtpd took the mail in %s: %s", lang, got.ID)
	}
}
