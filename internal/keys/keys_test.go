package keys_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"

	"sanad/internal/keys"
)

func box(t testing.TB, fill byte) *keys.Box {
	t.Helper()
	b, err := keys.New(bytes.Repeat([]byte{fill}, 32))
	require.NoError(t, err)
	return b
}

func TestOpenNeedsSameKeyAndContext(t *testing.T) {
	b, other := box(t, 1), box(t, 2)
	secret := []byte("the secret")
	sealed, err := b.Seal("totp/1", secret)
	require.NoError(t, err)
	require.NotContains(t, string(sealed), "secret")
	got, err := b.Open("totp/1", sealed)
	require.NoError(t, err)
	require.Equal(t, secret, got)
	again, err := b.Seal("totp/1", secret)
	require.NoError(t, err)
	require.NotEqual(t, sealed, again, "each sealing has its own nonce")

	_, err = other.Open("totp/1", sealed)
	require.ErrorIs(t, err, keys.ErrWrongKey)
	_, err = b.Open("totp/2", sealed)
	require.ErrorIs(t, err, keys.ErrWrongKey)
	for i := range sealed {
		for bit := range 8 {
			bad := bytes.Clone(sealed)
			bad[i] ^= 1 << bit
			_, err := b.Open("totp/1", bad)
			require.ErrorIs(t, err, keys.ErrWrongKey)
		}
		_, err := b.Open("totp/1", sealed[:i])
		require.ErrorIs(t, err, keys.ErrWrongKey)
	}
}

func TestMAC(t *testing.T) {
	b := box(t, 1)
	once := b.MAC("login", "noura")
	require.Equal(t, once, b.MAC("login", "noura"))
	seen := map[string]bool{}
	for _, m := range []string{b.MAC("login", "noura"), b.MAC("logi", "nnoura"), b.MAC("login", "Noura"),
		b.MAC("x", "noura"), box(t, 2).MAC("login", "noura")} {
		require.Len(t, m, 64)
		require.False(t, seen[m])
		seen[m] = true
	}
}

// A key hands over what it sealed, and its MACs, to another one; the fingerprint tells the two apart.
func TestHandOver(t *testing.T) {
	old, fresh, other := box(t, 1), box(t, 2), box(t, 3)
	sealed, err := old.Seal("totp/1", []byte("the secret"))
	require.NoError(t, err)
	again, err := old.Reseal(fresh, "totp/1", sealed)
	require.NoError(t, err)
	got, err := fresh.Open("totp/1", again)
	require.NoError(t, err)
	require.Equal(t, "the secret", string(got))
	_, err = old.Open("totp/1", again)
	require.ErrorIs(t, err, keys.ErrWrongKey)
	_, err = other.Reseal(fresh, "totp/1", sealed)
	require.ErrorIs(t, err, keys.ErrWrongKey)
	_, err = old.Reseal(fresh, "totp/2", sealed)
	require.ErrorIs(t, err, keys.ErrWrongKey)

	handed, err := old.HandOver(fresh, "mac")
	require.NoError(t, err)
	earlier, err := fresh.TakeOver("mac", handed)
	require.NoError(t, err)
	h := earlier.NewMAC("receipt")
	h.Write([]byte("a request"))
	require.Equal(t, old.MAC("receipt", "a request"), hex.EncodeToString(h.Sum(nil)))
	_, err = other.TakeOver("mac", handed)
	require.ErrorIs(t, err, keys.ErrWrongKey)

	require.Regexp(t, "^[0-9a-f]{16}$", old.Fingerprint())
	require.Equal(t, old.Fingerprint(), box(t, 1).Fingerprint())
	require.NotEqual(t, old.Fingerprint(), fresh.Fingerprint())
}

func TestParse(t *testing.T) {
	key := bytes.Repeat([]byte{0xfb}, 32)
	std := base64.StdEncoding.EncodeToString(key)
	for _, text := range []string{std, std + "\n", strings.TrimRight(std, "="), base64.URLEncoding.EncodeToString(key),
		hex.EncodeToString(key), " " + strings.ToUpper(hex.EncodeToString(key))} {
		got, err := keys.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, key, got)
	}
	for _, text := range []string{"", "hunter2-hunter2", std[:20], std + std, hex.EncodeToString(key[:31]),
		strings.Repeat("é", 32)} {
		_, err := keys.Parse(text)
		require.ErrorContains(t, err, "32 bytes in base64 or hex")
		if text != "" {
			require.NotContains(t, err.Error(), text, "the error must not repeat the text")
		}
	}
	text, err := keys.Generate(rand.Reader)
	require.NoError(t, err)
	_, err = keys.Parse(text)
	require.NoError(t, err)
	_, err = keys.Generate(strings.NewReader("short"))
	require.Error(t, err)
	_, err = keys.New([]byte("short"))
	require.Error(t, err)
}

func TestFingerprintMatchesOpenSSH(t *testing.T) {
	key, err := keys.NewSigning(rand.Reader)
	require.NoError(t, err)
	public := key.Public().(ed25519.PublicKey)
	theirs, err := ssh.NewPublicKey(public)
	require.NoError(t, err)
	require.Equal(t, ssh.FingerprintSHA256(theirs), keys.Fingerprint(public))
	text, err := keys.PEM(public)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(text, "-----BEGIN PUBLIC KEY-----\n"))
}

func TestNotes(t *testing.T) {
	key, err := keys.NewSigning(rand.Reader)
	require.NoError(t, err)
	s, err := keys.NoteSigner("sanad/x/1", key)
	require.NoError(t, err)
	v, err := keys.NoteVerifier("sanad/x/1", key.Public().(ed25519.PublicKey))
	require.NoError(t, err)
	signed, err := note.Sign(&note.Note{Text: "text\n"}, s)
	require.NoError(t, err)
	_, err = note.Open(signed, note.VerifierList(v))
	require.NoError(t, err)
	_, err = note.Open(bytes.Replace(signed, []byte("text"), []byte("tExt"), 1), note.VerifierList(v))
	require.Error(t, err)
	_, err = keys.NoteSigner("a name", key)
	require.Error(t, err)
}
