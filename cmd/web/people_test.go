package main

import (
	"bytes"
	"context"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/letterhead"
	"sanad/internal/domain/pack"
)

// desk runs commands on one data folder.
type desk struct {
	t   *testing.T
	dir string
}

func newDesk(t *testing.T) desk {
	t.Helper()
	return desk{t, dbtest.Dir(t)}
}

// does runs a command that must succeed and returns its output; --data is added.
func (d desk) does(stdin string, args ...string) string {
	d.t.Helper()
	code, out, errs := call(d.t, stdin, append(args, "--data", d.dir)...)
	require.Zero(d.t, code, "%v: %s", args, errs)
	return out
}

// fails runs a command that must fail with a message.
func (d desk) fails(why, stdin string, args ...string) {
	d.t.Helper()
	code, out, errs := call(d.t, stdin, append(args, "--data", d.dir)...)
	require.Equal(d.t, exitFailed, code, "%v", args)
	require.Empty(d.t, out, "%v", args)
	require.Contains(d.t, errs, why, "%v", args)
}

// look opens the store beside the commands.
func (d desk) look(do func(ctx context.Context, s *db.Store)) {
	d.t.Helper()
	c := atData(d.dir)
	require.NoError(d.t, c.with(context.Background(), func(s *db.Store, _ db.Tenant) error {
		do(context.Background(), s)
		return nil
	}))
}

// passes reports whether a password is that of the user.
func (d desk) passes(login, password string) (ok bool) {
	d.t.Helper()
	d.look(func(ctx context.Context, s *db.Store) {
		u, err := s.UserByLogin(ctx, login)
		require.NoError(d.t, err)
		ok, err = auth.NewHasher(1).Check(ctx, password, u.Password)
		require.NoError(d.t, err)
	})
	return ok
}

// shown returns the secret that a command printed.
func shown(t *testing.T, out string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^(?:password|token)\t(\S+)\tshown this once$`).FindAllStringSubmatch(out, -1)
	require.Len(t, m, 1, out)
	return m[0][1]
}

func TestTenantCommands(t *testing.T) {
	d := newDesk(t)
	require.Regexp(t, `^\S{36}\thealth\tصحة\n$`, d.does("", "tenant", "add", "health", "--name", "صحة"))
	d.fails("already", "", "tenant", "add", "health")
	d.fails("short name", "", "tenant", "add", "Health!")
	d.fails("system", "", "tenant", "add", "system")
	d.does("", "migrate") // any command in the main tenant creates it
	require.Regexp(t, `(?s)^\S{36}\thealth\tصحة\n\S{36}\tmain\tMain\n$`, d.does("", "tenant", "list"))
}

// A typo in --tenant creates no organisation, and nobody belongs to the system's own tenant.
func TestUnknownTenant(t *testing.T) {
	d := newDesk(t)
	for _, tenant := range []string{"mian", "system", ""} {
		d.fails("sanad tenant add", "", "user", "list", "--tenant", tenant)
		d.fails("sanad tenant list", "", "migrate", "--tenant", tenant)
	}
	require.Empty(t, d.does("", "tenant", "list"))
}

func TestUserAdd(t *testing.T) {
	d := newDesk(t)
	out := d.does("", "user", "add", "Noura", "--name", "نورة", "--email", "n@example.test", "--role", "admin")
	require.True(t, strings.HasPrefix(out, "noura\tadmin\tmain\n"), out)
	require.True(t, d.passes("noura", shown(t, out)))
	require.NotContains(t, d.stored(), shown(t, out), "only a hash is kept")

	out = d.does("sixty grey camels\n", "user", "add", "ali", "--password-stdin")
	require.NotContains(t, out, "password")
	require.NotContains(t, out, "camels")
	require.True(t, d.passes("ali", "sixty grey camels"))
	require.Equal(t, "ali\tviewer\tenabled\tali\nnoura\tadmin\tenabled\tنورة\n", d.does("", "user", "list"))

	d.fails("already in the tenant", "", "user", "add", "NOURA")
	d.fails("role", "", "user", "add", "x", "--role", "owner")
	d.fails("accounts of one tenant", "", "user", "add", "x@main")
	for _, stdin := range []string{"", "\n", "short\n", "password\n", strings.Repeat("a", 10_000)} {
		d.fails("", stdin, "user", "add", "x", "--password-stdin")
	}
	require.Equal(t, 2, strings.Count(d.does("", "user", "list"), "\n"), "nothing half-made")

	out = d.does("", "user", "add", "--email", "Amal@Example.test", "--role", "approver")
	require.True(t, strings.HasPrefix(out, "amal@example.test\tapprover\tmain\n"), "the address is the login name")
	d.does("", "token", "add", "--name", "n", "--role", "viewer", "--user", "N@example.test")
	d.does("", "user", "add", "second", "--email", "n@example.test")
	d.fails("no user", "", "token", "add", "--name", "n", "--user", "n@example.test")
	d.does("", "token", "add", "--name", "n", "--role", "viewer", "--user", "amal@example.test")
}

// stored returns the content of the database.
func (d desk) stored() string {
	d.t.Helper()
	if databaseOf(d.dir) != "" {
		return allRows(d.t, d.dir)
	}
	var all strings.Builder
	files, err := filepath.Glob(filepath.Join(d.dir, "sanad.db*"))
	require.NoError(d.t, err)
	require.NotEmpty(d.t, files)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(d.t, err)
		all.Write(data)
	}
	return all.String()
}

func TestUserPasswd(t *testing.T) {
	d := newDesk(t)
	first := shown(t, d.does("", "user", "add", "noura"))
	second := shown(t, d.does("", "user", "passwd", "noura"))
	require.NotEqual(t, first, second)
	require.False(t, d.passes("noura", first))
	require.True(t, d.passes("noura", second))
	require.NotContains(t, d.does("sixty grey camels\r\n", "user", "passwd", "NOURA", "--password-stdin"), "camels")
	require.True(t, d.passes("noura", "sixty grey camels"))
	token := strings.TrimSpace(d.does("", "token", "add", "--name", "laptop", "--user", "noura"))
	require.NotEmpty(t, token)
	d.does("sixty grey camels\n", "user", "passwd", "noura", "--password-stdin", "--keep-tokens")
	require.NotContains(t, d.does("", "token", "list"), "revoked")
	d.does("sixty grey camels\n", "user", "passwd", "noura", "--password-stdin")
	require.Contains(t, d.does("", "token", "list"), "revoked")
	d.fails("no user", "", "user", "passwd", "nobody")
	list := filepath.Join(t.TempDir(), "forbidden.txt")
	require.NoError(t, os.WriteFile(list, []byte("Seven Grey Camels\n"), 0o600))
	for _, c := range []struct{ words, stdin string }{
		{"rule SEC-2", "short\n"}, {"At least 12 characters are needed, or 8", "kq7#mVz2kq7\n"},
		{"operator does not allow", "seven grey camels\n"},
	} {
		code, _, errs := call(t, c.stdin, "user", "passwd", "noura", "--password-stdin", "--data", d.dir,
			"--forbidden-passwords-file", list)
		require.Equal(t, 1, code, errs)
		require.Contains(t, errs, c.words)
	}
	require.True(t, d.passes("noura", "sixty grey camels"))
	d.fails("no such file", "", "user", "passwd", "noura", "--forbidden-passwords-file", list+"x")

	// beside one-time codes 8 characters are enough
	d.look(func(ctx context.Context, s *db.Store) {
		u, err := s.UserByLogin(ctx, "noura")
		require.NoError(t, err)
		require.NoError(t, s.SetTOTP(ctx, access.Actor{ID: u.ID, Human: true}, u.ID, []byte("sealed"), nil))
	})
	d.does("kq7#mVz2\n", "user", "passwd", "noura", "--password-stdin")
	require.True(t, d.passes("noura", "kq7#mVz2"))
}

func TestUserRoleAndTenants(t *testing.T) {
	d := newDesk(t)
	d.does("", "tenant", "add", "health")
	d.does("", "user", "add", "noura", "--role", "admin")
	d.fails("last administrator", "", "user", "role", "noura", "viewer")
	d.fails("sanad user add", "", "user", "role", "noura", "viewer", "--tenant", "health")
	require.Equal(t, "noura\tapprover\thealth\n",
		d.does("", "user", "add", "noura", "--tenant", "health", "--role", "approver"))
	d.fails("already", "", "user", "add", "noura", "--tenant", "health")
	require.Equal(t, "noura\treviewer\thealth\n", d.does("", "user", "role", "noura", "reviewer", "--tenant", "health"))
	d.fails("role", "", "user", "role", "noura", "owner", "--tenant", "health")
	require.Equal(t, "noura\tadmin\tenabled\tnoura\n", d.does("", "user", "list"))
	require.Equal(t, "noura\treviewer\tenabled\tnoura\n", d.does("", "user", "list", "--tenant", "health"))
}

// An existing account gets a role here only if it certainly belongs to the person meant: the administrator of another
// tenant may have created it with somebody's address, and knows its password.
func TestUserAddOfAnAccountThatIsThere(t *testing.T) {
	d := newDesk(t)
	d.does("", "tenant", "add", "health")
	d.does("sixty grey camels\n", "user", "add", "mallory", "--email", "noura@example.test", "--password-stdin")
	d.fails("is the address of the account mallory", "", "user", "add", "--email", "noura@example.test", "--tenant",
		"health", "--role", "admin")
	d.fails("another password", "seven grey camels\n", "user", "add", "mallory", "--tenant", "health",
		"--password-stdin")
	require.Empty(t, d.does("", "user", "list", "--tenant", "health"))
	code, out, errs := call(t, "sixty grey camels\n", "user", "add", "mallory", "--tenant", "health",
		"--password-stdin", "--data", d.dir)
	require.Zero(t, code, errs)
	require.Equal(t, "mallory\tviewer\thealth\n", out)
	require.Contains(t, errs, "tenants: main", "where the account is from")
}

func TestUserDisable(t *testing.T) {
	d := newDesk(t)
	d.does("", "tenant", "add", "health")
	d.does("", "user", "add", "noura", "--role", "admin")
	d.does("", "user", "add", "noura", "--tenant", "health")
	states := func() string { return d.does("", "user", "list") + d.does("", "user", "list", "--tenant", "health") }
	row := func(role, state string) string { return "noura\t" + role + "\t" + state + "\tnoura\n" }

	d.fails("last administrator", "", "user", "disable", "noura", "--tenant", "main")
	require.Equal(t, "noura\tdisabled\thealth\n", d.does("", "user", "disable", "noura", "--tenant", "health"))
	require.Equal(t, row("admin", "enabled")+row("viewer", "disabled"), states())
	d.does("", "user", "enable", "noura", "--tenant", "health")
	require.Equal(t, "noura\tdisabled\teverywhere\n", d.does("", "user", "disable", "noura"))
	require.Equal(t, row("admin", "disabled everywhere")+row("viewer", "disabled everywhere"), states())
	d.does("", "user", "enable", "noura")
	require.Equal(t, row("admin", "enabled")+row("viewer", "enabled"), states())
	d.does("", "user", "add", "ali")
	d.fails("is not in the tenant health", "", "user", "disable", "ali", "--tenant", "health")
	d.fails("no user", "", "user", "disable", "nobody")
}

// The operator at the command line needs no second administrator, is logged, and can end it that two people count as
// one.
func TestOperatorIsExempt(t *testing.T) {
	d := newDesk(t)
	d.does("", "user", "add", "noura", "--role", "admin")
	d.does("", "user", "add", "sara", "--role", "approver")
	able := -1 // how many other administrators could confirm what noura asks for
	asks := func(do func(ctx context.Context, s *db.Store, noura access.Actor)) {
		d.look(func(ctx context.Context, s *db.Store) {
			u, err := s.UserByLogin(ctx, "noura")
			require.NoError(t, err)
			tenant, err := s.TenantBySlug(ctx, "main")
			require.NoError(t, err)
			noura := access.Actor{Tenant: tenant.ID, ID: u.ID, User: u.Name, Role: access.Admin, Human: true}
			do(ctx, s, noura)
			demand, err := s.Demand(ctx, noura)
			require.NoError(t, err)
			able = demand.Able
		})
	}
	ali := ""
	asks(func(ctx context.Context, s *db.Store, noura access.Actor) {
		u, err := s.AddUser(ctx, noura, db.User{Login: "ali", Name: "Ali"}, access.Admin)
		require.NoError(t, err)
		ali = u.Login
	})
	require.Zero(t, able)
	require.Equal(t, "sara\treviewer\tmain\n", d.does("", "user", "role", "sara", "reviewer"), "at once, beside two")
	require.Equal(t, ali+"\tvouched for\tmain\n", d.does("", "user", "vouch", ali, "--reason", "met in person"))
	d.fails("no user", "", "user", "vouch", "mallory", "--reason", "x")
	asks(func(context.Context, *db.Store, access.Actor) {})
	require.Equal(t, 1, able)
	log := d.does("", "audit", "export")
	require.Contains(t, log, `"user.role_changed"`)
	require.Contains(t, log, `"user.vouched"`)
}

func TestTokenCommands(t *testing.T) {
	d := newDesk(t)
	d.does("", "tenant", "add", "health")
	d.does("", "user", "add", "noura", "--role", "reviewer", "--name", "نورة")
	machine := d.does("", "token", "add", "--name", "nightly import", "--role", "reviewer", "--days", "7")
	person := d.does("", "token", "add", "--name", "laptop", "--role", "admin", "--user", "noura")
	until := func(days int) string { return time.Now().UTC().AddDate(0, 0, days).Format(time.DateOnly) }
	require.Regexp(t, `^sanad_\w+\n$`, machine, "the token alone")
	secret := strings.TrimSpace(machine)
	require.True(t, strings.HasPrefix(secret, "sanad_"), secret)
	require.NotContains(t, d.stored(), secret, "only a hash is kept")
	actor := func(secret string) (a access.Actor, err error) {
		d.look(func(ctx context.Context, s *db.Store) { a, err = s.TokenActor(ctx, db.HashToken(secret), netip.Addr{}) })
		return a, err
	}
	a, err := actor(secret)
	require.NoError(t, err)
	require.Equal(t, []any{access.Reviewer, false}, []any{a.Role, a.Human})
	a, err = actor(strings.TrimSpace(person))
	require.NoError(t, err)
	require.Equal(t, []any{access.Reviewer, true}, []any{a.Role, a.Human})

	list := d.does("", "token", "list")
	require.Contains(t, list, "\tnightly import\treviewer\tmachine\texpires "+until(7)+"\tused "+until(0)+"T")
	require.Contains(t, list, "\tlaptop\treviewer\tنورة\texpires "+until(90)+"\tused "+until(0)+"T")
	require.Contains(t, list, "Z\tall scopes\teverywhere\n")
	require.NotContains(t, list, "sanad_")
	d.does("", "token", "add", "--name", "nightly", "--scope", "read,import", "--scope", "read", "--address", "192.0.2.7")
	require.Contains(t, d.does("", "token", "list"), "\tnever used\tread import\t192.0.2.7/32\n")
	d.fails("no scope", "", "token", "add", "--name", "n", "--scope", "everything")
	d.fails("neither an address", "", "token", "add", "--name", "n", "--address", "office")
	require.Empty(t, d.does("", "token", "list", "--tenant", "health"))

	id := regexp.MustCompile(`(?m)^(\S+)\tnightly`).FindStringSubmatch(list)[1]
	d.fails("sanad token list", "", "token", "revoke", id, "--tenant", "health")
	d.does("", "token", "revoke", id)
	_, err = actor(secret)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	require.Contains(t, d.does("", "token", "list"), "\tmachine\trevoked "+until(0))

	d.fails("not in the tenant", "", "token", "add", "--name", "n", "--user", "noura", "--tenant", "health")
	d.fails("no user", "", "token", "add", "--name", "n", "--user", "nobody")
	d.fails("name", "", "token", "add")
}

func TestUsageOfPeopleCommands(t *testing.T) {
	for _, args := range [][]string{
		{"user"}, {"tenant"}, {"token"}, {"user", "frob"}, {"user", "add"}, {"user", "add", "a", "secret"},
		{"user", "role", "a"}, {"user", "vouch", "a"},
		{"user", "passwd"}, {"tenant", "add"}, {"token", "revoke"}, {"token", "add", "--name", "n", "--days", "0"},
		{"token", "add", "--name", "n", "--days", "366"}, {"user", "add", "a", "--password", "secret"},
	} {
		code, out, errs := call(t, "", args...)
		require.Equal(t, exitUsage, code, "%v: %s", args, errs)
		require.Contains(t, errs, "--help")
		require.Empty(t, out)
		require.NotContains(t, errs, "secret\n")
	}
	for _, args := range [][]string{{"user"}, {"user", "add"}, {"user", "disable"}, {"tenant", "list"},
		{"token", "add"}} {
		code, out, _ := call(t, "", append(args, "--help")...)
		require.Zero(t, code)
		require.Contains(t, out, "Usage:")
	}
}

func TestSubCommandsReadTheEnvironment(t *testing.T) {
	d := newDesk(t)
	t.Setenv("SANAD_DATA", d.dir)
	t.Setenv("SANAD_ROLE", "approver")
	code, _, errs := call(t, "", "user", "add", "sara")
	require.Zero(t, code, errs)
	require.Equal(t, "sara\tapprover\tenabled\tsara\n", d.does("", "user", "list"))
}

// demo creates one user per role, prints the passwords once, and never again.
func TestDemoUsers(t *testing.T) {
	d := newDesk(t)
	var signed []byte
	var letter letterhead.Letterhead
	seed := func() string {
		var out strings.Builder
		c := atData(d.dir)
		require.NoError(t, c.with(context.Background(), func(s *db.Store, tenant db.Tenant) error {
			if err := demoUsers(context.Background(), s, tenant, c, &out); err != nil {
				return err
			}
			tenant, err := demoOrganisation(context.Background(), s, tenant)
			if err != nil {
				return err
			}
			letter = tenant.Letter
			if err := seedDemo(context.Background(), importer(s, tenant, nil), tenant, c); err != nil {
				return err
			}
			rows, _, err := s.Packs(context.Background(), tenant.ID, pack.Query{State: pack.SignedOff, Limit: 1})
			if err != nil {
				return err
			}
			signed, _, err = s.PackFile(context.Background(), tenant.ID, rows[0].PackID, pack.FilePDF)
			return err
		}))
		return out.String()
	}
	out := seed()
	rows := regexp.MustCompile(`(?m)^  (viewer|reviewer|approver|admin) +(\S+) +(\S+)$`).FindAllStringSubmatch(out, -1)
	require.Len(t, rows, 4, out)
	list := d.does("", "user", "list")
	for _, row := range rows {
		require.Contains(t, list, row[2]+"\t"+row[1]+"\tenabled\t")
		require.True(t, d.passes(row[2], row[3]))
	}
	require.True(t, bytes.Contains(signed, []byte(demoName)), "the signed file names the organisation as its author")
	require.Contains(t, letter.Name, demoName, "and was signed under its letterhead")
	again := seed()
	require.Contains(t, again, "sanad user passwd")
	for _, row := range rows {
		require.NotContains(t, again, row[3])
		require.True(t, d.passes(row[2], row[3]), "and they stay as they are")
	}
}

// Passwords are never arguments, so none is in the shell's history or the list of processes.
func TestNoFlagTakesAPassword(t *testing.T) {
	root := newRoot(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
	commands := 0
	for _, g := range root.Commands() {
		for _, c := range g.Commands() {
			commands++
			require.Nil(t, c.Flags().Lookup("password"), c.CommandPath())
		}
	}
	require.GreaterOrEqual(t, commands, 12)
}

// The operator sets a login address and whether a second factor is required; an account of one tenant gets no address.
func TestEmailAndSecondFactorCommands(t *testing.T) {
	d := newDesk(t)
	d.does("", "user", "add", "aisha", "--role", "admin")
	require.Equal(t, "aisha\taddress\taisha@example.com\n", d.does("", "user", "email", "aisha", "Aisha@Example.com"))
	d.fails("no user", "", "user", "email", "nobody", "x@example.com")
	require.Equal(t, "main\tsecond factor\ton\n", d.does("", "tenant", "second-factor", "on"))
}
