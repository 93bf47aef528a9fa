package dbtest

import (
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ReplicaServers is the environment variable with the addresses of two servers that follow Server, without a database and
// separated by a comma. Tests pause the first, and promote the second: .ci/replica.
const ReplicaServers = "SANAD_TEST_POSTGRES_REPLICA"

// Replicas returns the addresses of a data folder's database at the servers that follow its own. Where none are given, the
// test is skipped.
func Replicas(t testing.TB, dir string) []string {
	t.Helper()
	servers := os.Getenv(ReplicaServers)
	if servers == "" {
		t.Skip("needs servers that follow another: .ci/replica")
	}
	require.True(t, OnPostgres(), "%s needs %s", ReplicaServers, Server)
	own, err := url.Parse(Database(dir))
	require.NoError(t, err)
	var out []string
	for server := range strings.SplitSeq(servers, ",") {
		u, err := url.Parse(server)
		require.NoError(t, err)
		u.Path = own.Path
		out = append(out, u.String())
	}
	require.Len(t, out, 2)
	return out
}

// PauseReplica lets a replica stay as it is; the returned function and the end of the test let it follow again.
func PauseReplica(t testing.TB, address string) (resume func()) {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	u.Path = "/postgres"
	d, err := sql.Open("pgx", u.String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	resume = func() {
		_, err := d.ExecContext(t.Context(), "SELECT pg_wal_replay_resume()")
		require.NoError(t, err)
	}
	t.Cleanup(func() { _, _ = d.Exec("SELECT pg_wal_replay_resume()") }) //nolint:noctx // the test's context has ended
	_, err = d.ExecContext(t.Context(), "SELECT pg_wal_replay_pause()")
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		state := ""
		err := d.QueryRowContext(t.Context(), "SELECT pg_get_wal_replay_pause_state()").Scan(&state)
		return err == nil && state == "paused"
	}, time.Minute, 20*time.Millisecond)
	return resume
}
