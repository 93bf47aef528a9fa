package main

import (
	"cmp"
	"errors"
	"log/slog"
	"math"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/quota"
)

// The memory that requests and jobs share (rule SEC-23).
const (
	mostWork    = 2 << 30         // bytes by default, if half of the memory limit is not less
	leastWork   = 256             // MiB
	workWaiting = 200             // requests that may wait for memory
	workWait    = 5 * time.Second // and how long
	tenantShare = 50              // percent
	personShare = 25
)

// workFlags share memory among tenants and people.
type workFlags struct{ mib, tenant, person int }

func (f *workFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.mib, "work-memory", 0,
		"MiB that uploads, lake, judging, redaction, exports and jobs may take together; 0 for half of the memory limit, "+
			"at most 2048")
	cmd.Flags().IntVar(&f.tenant, "work-tenant", tenantShare, "percent of it that one tenant may take")
	cmd.Flags().IntVar(&f.person, "work-person", personShare, "percent of it that one person may take, jobs apart")
}

func (f *workFlags) check() error {
	if f.mib < 0 || f.mib > 0 && f.mib < leastWork || f.mib > math.MaxInt32 {
		return errors.New("--work-memory must be at least 256 (MiB), or 0 for half of the memory limit")
	}
	if tenant, person := f.shares(); person < 1 || tenant > 100 || person > tenant {
		return errors.New("--work-person must be 1 to --work-tenant, and that at most 100 (percent)")
	}
	return nil
}

// shares returns the percentages; the demo has no flags and gets the usual ones.
func (f *workFlags) shares() (tenant, person int) {
	return cmp.Or(f.tenant, tenantShare), cmp.Or(f.person, personShare)
}

// pool returns the memory to share, below the limit that the collector keeps to.
func (f *workFlags) pool(log *slog.Logger) *quota.Pool {
	all := int64(f.mib) << 20
	if all == 0 {
		all = max(leastWork<<20, min(mostWork, debug.SetMemoryLimit(-1)/2))
	}
	tenant, person := f.shares()
	log.Info("memory for requests and jobs", "bytes", all)
	return quota.NewPool(quota.Limits{
		All: all, Tenant: all / 100 * int64(tenant), Person: all / 100 * int64(person),
		Queue: workWaiting, Wait: workWait,
	})
}
