package backup_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
	"sanad/internal/keys"
)

// vault is a board with something in every table that is sealed.
type vault struct {
	*dbtest.Board
	packs  []string // signed
	open   *db.PackView
	hook   string
	secret string // of the hook
	link   []byte // the answer of a receipt
	fill   byte   // of the key in use
}

func newVault(t *testing.T) *vault {
	t.Helper()
	b := dbtest.NewBoard(t)
	v := &vault{Board: b, link: []byte(`{"link":"https://a.example/downloads/swordfish"}`), fill: 1}
	v.packs = append(v.packs, b.Signed(t, "dec_first").Life.PackID)
	_, err := b.RotateKey(b.Ctx, b.Admin, "sign")
	require.NoError(t, err)
	v.packs = append(v.packs, b.Held(t, "dec_second").Life.PackID)
	v.open = b.Submit(t, b.Draft(t, "dec_open", "A2"))
	b.Decide(t, v.restricted())
	w, secret, err := b.AddWebhook(b.Ctx, b.Admin, "https://hooks.example/x", []string{"pack.submitted"})
	require.NoError(t, err)
	v.hook, v.secret = w.ID, secret
	_, err = b.AddModelEndpoint(b.Ctx, b.Admin, dbtest.AnEndpoint("Small"), "sk-1")
	require.NoError(t, err)
	for _, who := range []access.Actor{b.Approver, b.Second} {
		sealed, err := dbtest.MasterKey(t, 1).Seal(db.TOTPContext(who.ID), []byte("codes of "+who.ID))
		require.NoError(t, err)
		require.NoError(t, b.SetTOTP(b.Ctx, who, who.ID, sealed, []string{"a", "b"}))
	}
	for i := range 3 {
		require.NoError(t, b.SaveReceipt(b.Ctx, b.Tenant.ID, &db.Receipt{Key: fmt.Sprint("machine k", i),
			Digest: v.asked(1), Status: 201, Headers: map[string]string{}, Body: v.link}))
	}
	require.NoError(t, b.LoginFailed(b.Ctx, access.Actor{Tenant: b.Tenant.ID},
		dbtest.MasterKey(t, 1).MAC("login", "noura"),
		""))
	require.NoError(t, b.Close())
	t.Cleanup(func() {
		_ = v.Close() // may be closed already; the fixture closes it once more
		v.reopen(t, v.fill)
	})
	return v
}

// asked is the digest of a request by a key.
func (v *vault) asked(fill byte) string {
	box, _ := keys.New(bytes.Repeat([]byte{fill}, keys.MasterSize))
	return box.MAC("receipt", "the request")
}

func (v *vault) restricted() *pack.Decision {
	d := dbtest.DecisionOf("dec_s3", "A0", 1)
	d.Evidence[0].SensitivityClass, d.Evidence[0].Excerpt = "S3", "national-id-1234567890"
	return d
}

func (v *vault) options(t *testing.T, fill byte) db.Options {
	return db.Options{Dir: v.Dir, Database: dbtest.Database(v.Dir), Now: func() time.Time { return v.At },
		NewID: uuid.NewString, Keys: dbtest.MasterKey(t, fill)}
}

// reopen opens the store with a key.
func (v *vault) reopen(t *testing.T, fill byte) {
	t.Helper()
	s, err := db.Open(v.Ctx, v.options(t, fill))
	require.NoError(t, err)
	v.Store = s
}

// rotate replaces the key with this fill by that one.
func (v *vault) rotate(t *testing.T, from, to byte) backup.MasterKeyRotation {
	t.Helper()
	r, err := backup.RotateMasterKey(v.Ctx, v.options(t, from), dbtest.MasterKey(t, to), false)
	require.NoError(t, err)
	require.NoError(t, r.Remains)
	v.fill = to
	return r
}

// sealed returns what the database holds sealed, by table and row.
func (v *vault) sealed(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	d := dbtest.Raw(t, v.Dir)
	for _, query := range []string{
		"SELECT 'keys ' || id, sealed FROM keys", "SELECT 'log_seals ' || tenant_id, sealed FROM log_seals",
		"SELECT 'tenant_secrets ' || tenant_id, sealed FROM tenant_secrets",
		"SELECT 'evidence_packs ' || pack_id, secret FROM evidence_packs",
		"SELECT 'users ' || id, totp FROM users WHERE totp IS NOT NULL",
		"SELECT 'webhooks ' || id, sealed FROM webhooks",
		"SELECT 'model_endpoints ' || id, sealed FROM model_endpoints",
		"SELECT 'receipts ' || key, body FROM receipts",
		"SELECT 'master_keys ' || fingerprint, receipts FROM master_keys WHERE length(receipts) > 0",
	} {
		rows, err := d.Query(query)
		require.NoError(t, err)
		for rows.Next() {
			var name string
			var value []byte
			require.NoError(t, rows.Scan(&name, &value))
			out[name] = value
		}
		require.NoError(t, rows.Err())
	}
	require.NoError(t, d.Close())
	return out
}

// works checks that everything that was sealed is what it was, with this key.
func (v *vault) works(t *testing.T, fill byte) {
	t.Helper()
	v.reopen(t, fill)
	box := dbtest.MasterKey(t, fill)
	require.Empty(t, v.Frozen())
	v.LogHolds(t)
	dbtest.ContentsHold(t, v.Store, v.Dir+"/rotated")
	for _, id := range v.packs {
		v.Board.VerifiedPack(t, id)
	}
	for _, who := range []access.Actor{v.Approver, v.Second} {
		u, err := v.User(v.Ctx, who.ID)
		require.NoError(t, err)
		secret, err := box.Open(db.TOTPContext(who.ID), u.TOTP)
		require.NoError(t, err)
		require.Equal(t, "codes of "+who.ID, string(secret))
	}
	again := v.restricted()
	_, created, err := v.AddDecision(v.Ctx, v.Machine, again, nil)
	require.NoError(t, err)
	require.False(t, created, "the same S3 text has the same digest")
	due, err := v.DueDeliveries(v.Ctx, v.At.Add(time.Hour), 100)
	require.NoError(t, err)
	for _, d := range due {
		require.Equal(t, v.secret, d.Secret)
	}
	old, err := v.Receipt(v.Ctx, v.Tenant.ID, "machine k0")
	require.NoError(t, err)
	require.Equal(t, v.link, old.Body)
	_, _, err = v.SignWith(v.Ctx, v.Admin, []byte("message"))
	require.NoError(t, err)
}

// TestRotateMasterKey replaces the master key twice over a store that has something in every table that is
// sealed (rule SEC-26).
func TestRotateMasterKey(t *testing.T) {
	v := newVault(t)
	before := v.sealed(t)
	r := v.rotate(t, 1, 2)
	require.Equal(t, []string{dbtest.MasterKey(t, 1).Fingerprint(), dbtest.MasterKey(t, 2).Fingerprint()},
		[]string{r.Old, r.New})
	n := map[string]int{}
	for _, x := range r.Resealed {
		n[x.Table] = x.N
		require.True(t, x.N > 0 || x.Table == "master_keys", x.Table)
	}
	require.Equal(t, 3, n["evidence_packs"])
	require.Equal(t, 2, n["users"])
	require.Equal(t, 3, n["receipts"])
	require.Equal(t, 1, r.Forgot)
	after := v.sealed(t)
	for name, value := range before {
		require.NotEmpty(t, after[name], name)
		require.NotEqual(t, value, after[name], name)
	}
	for _, file := range []string{db.DatabaseFile, db.DatabaseFile + "-wal"} {
		data, err := os.ReadFile(filepath.Join(v.Dir, file))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		for name, value := range before {
			require.False(t, bytes.Contains(data, value), "%s: the old seal of %s is still in the file", file, name)
		}
	}
	v.works(t, 2)
	signed := v.Approve(t, v.Approver, v.open)
	v.Board.VerifiedPack(t, signed.Life.PackID)
	events, _, err := v.Log(v.Ctx, v.Tenant.ID, audit.Query{Action: "key.master_rotated", Limit: 9})
	require.NoError(t, err)
	require.Len(t, events, 1)
	events, _, err = v.Log(v.Ctx, v.Other.ID, audit.Query{Action: "key.master_rotated", Limit: 9})
	require.NoError(t, err)
	require.Len(t, events, 1, "in every tenant")

	require.Equal(t, []string{v.asked(1)}, v.earlier())
	require.NoError(t, v.Close())
	_, err = db.Open(v.Ctx, v.options(t, 1))
	require.ErrorIs(t, err, db.ErrWrongMasterKey)
	require.ErrorContains(t, err, "this is the old master key")
	require.ErrorContains(t, err, r.New)
	r = v.rotate(t, 2, 3)
	require.False(t, r.Before)
	v.works(t, 3)
	require.ElementsMatch(t, []string{v.asked(1), v.asked(2)}, v.earlier())
	require.NoError(t, v.Close())
	v.Pass(8 * 24 * time.Hour)
	v.rotate(t, 3, 4)
	v.reopen(t, 4)
	require.Equal(t, []string{v.asked(3)}, v.earlier(), "receipts of before are gone after seven days")
	require.NotContains(t, v.sealed(t), "master_keys "+dbtest.MasterKey(t, 1).Fingerprint())
}

// earlier returns the digests of the request by the keys of before.
func (v *vault) earlier() (out []string) {
	for _, k := range v.EarlierKeys() {
		h := k.NewMAC("receipt")
		h.Write([]byte("the request"))
		out = append(out, hex.EncodeToString(h.Sum(nil)))
	}
	return out
}

// TestRotationsThatAreRefused: each leaves the database as it was.
func TestRotationsThatAreRefused(t *testing.T) {
	dbtest.SQLiteOnly(t, "it takes the files of a data folder away")
	v := newVault(t)
	before := v.sealed(t)
	rotate := func(from, to byte) error {
		_, err := backup.RotateMasterKey(v.Ctx, v.options(t, from), dbtest.MasterKey(t, to), false)
		return err
	}
	require.ErrorContains(t, rotate(1, 1), "is the old one")
	require.ErrorIs(t, rotate(3, 2), db.ErrWrongMasterKey)
	missing := v.options(t, 1)
	missing.Dir = filepath.Join(t.TempDir(), "none")
	_, err := backup.RotateMasterKey(v.Ctx, missing, dbtest.MasterKey(t, 2), false)
	require.ErrorContains(t, err, "is no data folder")
	require.NoDirExists(t, missing.Dir)

	v.reopen(t, 1)
	require.ErrorContains(t, rotate(1, 2), "is open: stop the server")
	_, err = v.User(v.Ctx, v.Approver.ID)
	require.NoError(t, err, "the server goes on")
	require.NoError(t, v.Close())

	r, err := backup.RotateMasterKey(v.Ctx, v.options(t, 1), dbtest.MasterKey(t, 2), true)
	require.NoError(t, err)
	require.NotEmpty(t, r.Resealed)
	require.Equal(t, before, v.sealed(t), "a dry run")

	change := func(statement string, args ...any) {
		d := dbtest.Raw(t, v.Dir)
		_, err := d.Exec(statement, args...)
		require.NoError(t, err)
		require.NoError(t, d.Close())
	}
	one := "receipts machine k1"
	change("UPDATE receipts SET body = x'01020304' WHERE key = 'machine k1'")
	require.ErrorContains(t, rotate(1, 2), "receipts.body of")
	change("UPDATE receipts SET body = ? WHERE key = 'machine k1'", before[one])
	other, err := dbtest.MasterKey(t, 1).Seal(db.TOTPContext(v.Second.ID), []byte("of somebody who has the key"))
	require.NoError(t, err)
	change("UPDATE users SET totp = ? WHERE id = ?", other, v.Second.ID)
	require.ErrorContains(t, rotate(1, 2), "users "+v.Second.ID+" is not what the log says")
	change("UPDATE users SET totp = ? WHERE id = ?", before["users "+v.Second.ID], v.Second.ID)
	require.Equal(t, before, v.sealed(t))

	v.rotate(t, 1, 2)
	r, err = backup.RotateMasterKey(v.Ctx, v.options(t, 1), dbtest.MasterKey(t, 2), false)
	require.NoError(t, err)
	require.True(t, r.Before, "again, after it was stopped")
	require.ErrorContains(t, rotate(1, 3), "this is the old master key")
	require.ErrorContains(t, rotate(2, 1), "was sealed with the new master key before")
	v.works(t, 2)
}

// TestSealOfAPackStays: no statement changes a pack's secret, nor anything else while keys are replaced.
func TestSealOfAPackStays(t *testing.T) {
	v := newVault(t)
	d := dbtest.Raw(t, v.Dir)
	_, err := d.Exec("UPDATE evidence_packs SET secret = x'01', revision = revision + 1")
	require.ErrorContains(t, err, "what identifies a pack never changes")
	_, err = d.Exec("INSERT INTO resealing VALUES (1)")
	require.NoError(t, err)
	columns := map[string]bool{}
	rows, err := d.Query("SELECT name FROM pragma_table_info('evidence_packs')")
	require.NoError(t, err)
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		columns[name] = true
	}
	require.NoError(t, rows.Err())
	for name := range columns {
		_, err = d.Exec("UPDATE evidence_packs SET " + name + " = " + name)
		if name == "secret" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "resealing changes the seal only", name)
		}
	}
	_, err = d.Exec("UPDATE evidence_packs SET secret = x'01'")
	require.ErrorContains(t, err, "the same length")
}

// TestEverySealIsKnown lists every place that seals something, or makes a MAC, with the master key. A new one in the
// database belongs into sealedTables (internal/db/backup/rotate_tables.go); what a rotation forgets is told in
// docs/operating.md.
func TestEverySealIsKnown(t *testing.T) {
	want := []string{
		// in the database, in sealedTables
		`Seal(AnswerContext(tenant`, `Seal(context`, `Seal(db.TOTPContext(l.UserID)`, `Seal(LogSealContext(tenant)`,
		`Seal(PackSecretContext(a.Tenant`, `Seal(SealContext(tenant`, `Seal(WebhookContext(tenant`,
		`Seal(ModelContext(tenant`,
		// in browsers and programs: forgotten
		`Seal(placeContext(tenant`,
		`Seal("cookie/"+name`, `Seal("totp-pending/"+userID`, `MAC("device/password"`,
		// in the database: kept by EarlierKeys, and deleted
		`NewMAC("receipt")`, `MAC("device"`, `MAC("join"`, `MAC("login"`, `MAC("login"`, `MAC("proof"`,
	}
	var got []string
	call := regexp.MustCompile(`(?:[kK]eys|[bB]ox)\.((?:Seal|MAC|NewMAC)\([^,}\n]+)`)
	for _, dir := range []string{"../../db", "../../handlers", "../../app", "../../webhooks", "../../../cmd/web"} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, f os.DirEntry, err error) error {
			if err != nil || f.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "webtest") || strings.Contains(path, "dbtest") {
				return err
			}
			data, err := os.ReadFile(path)
			for _, m := range call.FindAllSubmatch(data, -1) {
				got = append(got, string(m[1]))
			}
			return err
		}))
	}
	slices.Sort(got)
	slices.Sort(want)
	require.Equal(t, want, got)
}
