package interop

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
	"sanad/internal/keys"
	"sanad/static"
)

// handed is what a third party receives: the folder of an unpacked zip of a pack.
type handed struct {
	dir   string
	files map[string][]byte
	key   []byte // tenant.pub
	hint  string // its fingerprint
}

// exported has two people sign off a pack of the demo, and unpacks its download.
func exported(t *testing.T) handed {
	t.Helper()
	ctx := context.Background()
	now := func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }
	box, err := keys.New(make([]byte, keys.MasterSize))
	require.NoError(t, err)
	store, err := db.Open(ctx, db.Options{Dir: dbtest.Dir(t), Now: now, NewID: uuid.NewString, Keys: box})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	tenant, err := store.AddTenant(ctx, "fund", "Gulf Development Fund")
	require.NoError(t, err)
	people := map[string]access.Actor{}
	for login, role := range map[string]access.Role{"yousef": access.Reviewer, "sara": access.Approver,
		"nasser": access.Approver} {
		u, err := store.AddUser(ctx, access.AtCommandLine(tenant.ID),
			db.User{Login: login, Name: login, Password: "none"}, role)
		require.NoError(t, err)
		people[login] = access.Actor{Tenant: tenant.ID, ID: u.ID, User: u.Name, Role: role, Human: true}
	}
	decisions := demo.Packs{Store: store, Tenant: tenant, Drafter: people["yousef"], Approver: people["sara"]}
	require.NoError(t, decisions.Seed(ctx))

	rows, _, err := store.Packs(ctx, tenant.ID, pack.Query{State: pack.InReview, Limit: 10})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	var v *db.PackView
	for _, who := range []string{"sara", "nasser"} {
		v, err = store.Pack(ctx, tenant.ID, rows[0].PackID)
		require.NoError(t, err)
		given := db.Approval{PackID: v.Life.PackID, Revision: v.Life.Revision, Digest: v.Life.Digest, Comment: "Read."}
		for _, a := range v.Content.Alarms {
			given.Acknowledged = append(given.Acknowledged, a.ID)
		}
		for _, a := range v.Since {
			given.Acknowledged = append(given.Acknowledged, a.ID)
		}
		v, err = store.ApprovePack(ctx, people[who], given, db.Answering{}, app.RenderPack(&tenant))
		require.NoError(t, err)
	}
	files, err := store.PackFiles(ctx, tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	files[packs.VerifyPage] = static.VerifyPage
	return unpack(t, files)
}

// unpack writes the files of the zip to a folder.
func unpack(t *testing.T, files map[string][]byte) handed {
	t.Helper()
	h := handed{dir: t.TempDir(), files: map[string][]byte{}, key: files["tenant.pub"]}
	var z bytes.Buffer
	require.NoError(t, packs.Zip(&z, files))
	for name, content := range unzipped(t, z.Bytes()) {
		h.files[name] = content
		require.NoError(t, os.WriteFile(filepath.Join(h.dir, name), content, 0o600))
	}
	key, err := pack.ParsePublic(h.key)
	require.NoError(t, err)
	h.hint = pack.Fingerprint(key)
	return h
}
