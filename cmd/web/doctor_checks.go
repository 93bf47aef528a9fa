package main

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"sanad/internal/db"
	"sanad/internal/files"
	"sanad/internal/keys"
	"sanad/internal/lake"
	"sanad/internal/pdftext"
	"sanad/internal/reader/published"
)

// The bounds of doctor's checks.
const (
	doctorWait    = 5 * time.Second     // for another server
	soonExpires   = 21 * 24 * time.Hour // of a certificate
	clockMayDrift = 2 * time.Minute
	lowSpace      = 1 << 30 // warned of; erasing and restoring need as much as the database is large
	noSpace       = 64 << 20
)

// earliestClock is before any build of this program: a clock before it was never set.
var earliestClock = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// configuration checks the flags one by one, so that one fault does not hide the next.
func (d *doctor) configuration() {
	const check = "configuration"
	before := len(d.findings)
	reached, err := d.c.reach.read()
	_, networks := d.c.webhook.networks()
	_, metrics := d.c.watch.metricsToken()
	_, oidc := d.c.oidc.client(reached.public)
	_, mail := d.c.mail.read(reached.public)
	_, places := d.c.filePlaces()
	process, role := d.c.role.read()
	var fga error
	if d.c.openfga.url != "" {
		_, fga = d.c.openfga.config()
	}
	var viewer error
	if d.c.traceViewer != "" {
		viewer = checkTraceViewer(d.c.traceViewer)
	}
	for _, err := range []error{err, networks, metrics, oidc, mail, fga, viewer, d.c.rate.check(), d.c.memory.check(),
		d.c.contact.check(), places, role} {
		if err != nil {
			d.fault(check, "correct the flag, the variable or the line of the file (docs/flags.md)", "%v", err)
		}
	}
	if err == nil && !reached.secure && !reached.trustProxy && !strings.HasPrefix(d.c.addr, "127.") &&
		!strings.HasPrefix(d.c.addr, "localhost:") && !strings.HasPrefix(d.c.addr, "[::1]:") {
		d.warn(check, "give --tls-cert and --tls-key, or let a proxy do TLS and give --trust-proxy and --public-url",
			"%s can be reached by others without TLS: passwords travel in the clear", d.c.addr)
	}
	if process == roleWeb {
		d.warn(check, "see that a process with --role worker runs on the same store (sanad_jobs_oldest_seconds in /metrics)",
			"this process takes no jobs and sends no mails and webhooks")
	}
	if c := d.c.configFile; c != "" && changeable(c) != "" {
		d.fault(check, "let only its owner write there (chmod go-w)", "%s", changeable(c))
	}
	if len(d.findings) == before {
		d.ok(check, "every flag has a value that can be used")
	}
}

func (d *doctor) certificate() {
	const check = "certificate"
	if d.c.reach.cert == "" || d.c.reach.key == "" {
		return
	}
	c, err := loadCertificate(d.c.reach.cert, d.c.reach.key)
	if err != nil {
		return // configuration has said it
	}
	leaf, err := x509.ParseCertificate(c.pair.Certificate[0])
	left := time.Duration(0)
	if err == nil {
		left = time.Until(leaf.NotAfter)
	}
	switch until := "until " + leaf.NotAfter.Format(time.DateOnly); {
	case err != nil:
		d.fault(check, "get a new one", "%s: %v", d.c.reach.cert, err)
	case left <= 0:
		d.fault(check, "renew it; the server takes the new file without a restart", "it was valid %s", until)
	case left < soonExpires:
		d.warn(check, "renew it; the server takes the new file without a restart", "it is valid %s only", until)
	default:
		d.ok(check, "valid %s", until)
	}
}

func (d *doctor) masterKey() *keys.Box {
	const check = "master key"
	box, err := d.c.box()
	if err != nil {
		d.fault(check,
			"sanad key init FILE makes one for a new database; an older database needs the one that it was made with",
			"%v", err)
		return nil
	}
	name := d.c.masterKeyFile
	if name == "" {
		d.ok(check, "it can be read")
		return box
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		d.fault(check, "see that the file stays where it is", "%v", err)
	case info.Mode().Perm()&0o007 != 0 && filepath.Separator == '/':
		d.fault(check, "chmod o-rwx "+name, "%s may be used by every user of this machine (mode %04o)",
			name, info.Mode().Perm())
	case changeable(name) != "":
		d.fault(check, "let only its owner write there (chmod go-w)", "%s", changeable(name))
	case inside(name, d.c.data):
		d.warn(check, "move it elsewhere: who copies the folder has both", "%s lies in the folder of the data", name)
	default:
		d.ok(check, "%s", name)
	}
	return box
}

// inside reports whether a file lies in a folder or below it.
func inside(name, dir string) bool {
	a, err1 := filepath.Abs(name)
	b, err2 := filepath.Abs(dir)
	rel, err3 := filepath.Rel(b, a)
	return errors.Join(err1, err2, err3) == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (d *doctor) folders() {
	d.folder("data folder", d.c.data, true)
	places, err := d.c.filePlaces()
	if err != nil {
		return // configuration has said it
	}
	checkpoints := places.checkpoints
	if dir, err := files.FolderOf(checkpoints); err == nil && dir != "" {
		checkpoints = dir
	} else if strings.Contains(checkpoints, "://") {
		d.place("checkpoints", checkpoints)
		return
	}
	if checkpoints == "" {
		if abs, err := filepath.Abs(d.c.data); err == nil {
			checkpoints = abs + "-checkpoints"
		}
	}
	if d.folder("checkpoints", checkpoints, false) && d.c.database == "" && db.SameDevice(d.c.data, checkpoints) {
		d.warn("checkpoints", "name a folder on another disk with --checkpoints, and move the files there",
			"they are on the data's own device: who can replace the one can replace the other")
	}
}

// folder checks a folder that the server writes to, and reports whether it can be used.
func (d *doctor) folder(check, dir string, private bool) bool {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := filepath.Dir(dir)
		if err := writable(parent); err != nil {
			d.fault(check, "make it, for the user that the server runs as", "%s does not exist and cannot be made: %v", dir,
				err)
			return false
		}
		d.ok(check, "%s does not exist yet; the server makes it", dir)
		return true
	case err != nil:
		d.fault(check, "give the user that the server runs as access to it", "%v", err)
		return false
	case !info.IsDir():
		d.fault(check, "name a folder", "%s is no folder", dir)
		return false
	}
	if err := writable(dir); err != nil {
		d.fault(check, "chown it to the user that the server runs as, and run doctor as that user", "%v", err)
		return false
	}
	if free, ok := freeSpace(dir); ok && free < lowSpace {
		say := d.warn
		if free < noSpace {
			say = d.fault
		}
		say(check, "make room: the server refuses writes when the disk is full", "%s has %d MiB left", dir, free>>20)
		return true
	}
	if private && info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		d.warn(check, "chmod 0700 "+dir, "others may look into %s (mode %04o)", dir, info.Mode().Perm())
		return true
	}
	d.ok(check, "%s", dir)
	return true
}

// writable makes a file in a folder and removes it.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// witness compares the logs with their checkpoints outside the database.
func (d *doctor) witness(box *keys.Box) {
	const check = "witness"
	if box == nil {
		return // masterKey has said it
	}
	places, err := d.c.filePlaces()
	if err != nil {
		return // configuration has said it
	}
	o := db.Options{Dir: d.c.data, Database: d.c.database, Checkpoints: places.checkpoints, Keys: box}
	logs, faults, err := db.ExamineWitness(d.ctx, o)
	switch {
	case errors.Is(err, db.ErrNotOpened): // database has said it
	case err != nil:
		d.fault(check, "see that the checkpoints can be read (--checkpoints)", "%v", explained(err))
	case faults != nil:
		d.fault(check, "stop every server but one; if none runs on another copy of the database, sanad audit verify says "+
			"more, and sanad restore puts back a backup", "%s", strings.Join(faults, "; "))
	case logs > 0:
		d.ok(check, "each of %d logs is the one that its checkpoint outside the database has seen", logs)
	}
}

func (d *doctor) database(box *keys.Box) {
	const check = "database"
	e, err := db.Examine(d.ctx, db.Options{Dir: d.c.data, Database: d.c.database, Keys: box})
	switch {
	case errors.Is(err, db.ErrNotOpened):
		d.fault(check, "see --database and the server that it names; nothing is said of the data", "%v", explained(err))
	case err != nil:
		d.fault(check, "restore the newest backup that sanad restore --check accepts", "it cannot be read: %v",
			explained(err))
	case e.Missing:
		d.ok(check, "%s: not created yet; the server creates it at its first start", e.Place)
	case e.Damage != nil:
		d.fault(check, "stop the server and restore the newest good backup with sanad restore", "it is damaged: %s",
			strings.Join(e.Damage, "; "))
	case e.Refused != nil:
		d.fault(check, "begin a new store in an empty data folder or database", "%v", e.Refused)
	case e.Serves:
		d.warn(check, "replace this program by that version too",
			"a newer version made it: level %d; this program knows %d and may serve it until it is replaced", e.Level, e.Known)
	case e.Level > e.Known:
		d.fault(check, "use that version of sanad, or a newer one",
			"a newer version made it: level %d, this program knows %d", e.Level, e.Known)
	case e.Other != "":
		d.fault(check, "use the sanad that made it", "migration %s is not the one that this program knows", e.Other)
	case e.WrongKey != nil:
		d.fault(check, "give the master key that sealed it last", "%v", e.WrongKey)
	case e.Level < e.Known:
		d.warn(check, "sanad backup first; then start the server, or sanad migrate",
			"level %d is older than this program's %d: it will be migrated, and the older program cannot go on with it",
			e.Level, e.Known)
	default:
		tenants := fmt.Sprintf("%d tenants", e.Tenants)
		if e.Tenants == 1 {
			tenants = "1 tenant"
		}
		d.ok(check, "%s: sound, at level %d, with %s", e.Place, e.Level, tenants)
		d.keys(e.Keys, time.Now())
	}
	d.clock(e.Newest, time.Now())
}

// keyPeriod is how long a tenant's key signs before it should be replaced (docs/asvs.md; NIST SP 800-57: 1 to 3 years).
const keyPeriod = 2 * 365 * 24 * time.Hour

// keys warns of keys that have signed for longer than their period.
func (d *doctor) keys(all []db.KeyInUse, now time.Time) {
	const check = "keys"
	old := 0
	for _, k := range all {
		if now.Sub(k.CreatedAt) > keyPeriod {
			old++
			d.warn(check, "sanad key rotate --tenant "+k.Tenant+" --purpose "+k.Purpose,
				"the key %s of the tenant %s is of %s, more than two years old", k.Purpose, k.Tenant,
				k.CreatedAt.Format(time.DateOnly))
		}
	}
	if old == 0 {
		d.ok(check, "none of %d is older than two years", len(all))
	}
}

// explained returns the words of explain, as an error.
func explained(err error) error { return errors.New(explain(err)) }

// clock compares the clock with what was recorded last: events must not go back in time, and one-time codes, logins and
// tokens need the right time.
func (d *doctor) clock(newest, now time.Time) {
	const check, mend = "clock", "set the time and keep it by NTP (timedatectl set-ntp true)"
	switch {
	case now.Before(earliestClock):
		d.fault(check, mend, "it says %s", now.Format(time.RFC3339))
	case newest.After(now.Add(clockMayDrift)):
		d.fault(check, mend, "it says %s, but the newest event in the log is of %s", now.UTC().Format(time.RFC3339),
			newest.Format(time.RFC3339))
	default:
		if synchronized, known := clockSynchronized(); known && !synchronized {
			d.warn(check, mend, "the system does not keep it synchronised")
			return
		}
		d.ok(check, "%s", now.UTC().Format(time.RFC3339))
	}
}

func (d *doctor) buckets() {
	if d.c.bucket != "" {
		d.place("bucket", d.c.bucket)
	}
	if d.c.lake != "" {
		d.place("lake", d.c.lake)
	}
	if strings.Contains(d.c.files, "://") {
		d.place("files", d.c.files)
	} else if d.c.files != "" {
		d.folder("files", d.c.files, true)
	}
}

// place asks for a folder or bucket named by a URL. Its error holds no credentials, but its address may.
func (d *doctor) place(check, address string) {
	const mend = "check its name, endpoint, region and the credentials (docs/operating.md), and that this machine reaches it"
	ctx, cancel := context.WithTimeout(d.ctx, doctorWait)
	defer cancel()
	place, _, _ := strings.Cut(address, "?")
	l, err := lake.Open(ctx, address, "")
	if err != nil {
		d.fault(check, mend, "%s: %v", place, err)
		return
	}
	if err := errors.Join(l.Ready(ctx), l.Close()); err != nil {
		d.fault(check, mend, "%s cannot be reached: %v", place, err)
		return
	}
	d.ok(check, "%s", place)
}

// openID asks the provider for its description, as the first login does.
func (d *doctor) openID() {
	const check, mend = "OpenID Connect", "check --oidc-issuer, and that this machine reaches it"
	issuer := d.c.oidc.issuer
	if issuer == "" {
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, doctorWait)
	defer cancel()
	var about struct {
		Issuer string `json:"issuer"`
	}
	err := getJSON(ctx, strings.TrimSuffix(issuer, "/")+"/.well-known/openid-configuration", &about)
	switch {
	case err != nil:
		d.fault(check, mend, "%s: %v", issuer, err)
	case about.Issuer != issuer:
		d.fault(check, "give --oidc-issuer exactly as the provider writes it", "%s calls itself %q", issuer, about.Issuer)
	default:
		d.ok(check, "%s", issuer)
	}
}

func getJSON(ctx context.Context, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %s", resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(into)
}

func (d *doctor) openFGA() {
	const check = "OpenFGA"
	if d.c.openfga.url == "" {
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, doctorWait)
	defer cancel()
	p, err := newAuthorizer(d.c.openfga, slog.New(slog.DiscardHandler))
	if err != nil {
		return // configuration has said it
	}
	asked, ok := p.authorizer.(interface{ Ready(context.Context) error })
	if !ok {
		return
	}
	if err := asked.Ready(ctx); err != nil {
		d.fault(check, "start it, or prepare its store: sanad openfga init (docs/openfga.md)", "%s: %v", d.c.openfga.url,
			explained(cause(err)))
		return
	}
	d.ok(check, "%s", d.c.openfga.url)
}

// readers starts the process that reads uploaded files, and looks for poppler.
func (d *doctor) readers() {
	const check, mend = "reading files", "apt-get install poppler-utils"
	r, err := newFileReaders(pdftext.Use(d.c.pdfReader))
	if err != nil {
		d.fault(check, mend+", or choose another --pdf-reader", "%v", explained(err))
		return
	}
	if !r.processes.Offline() {
		d.warn(check, "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or your container's)",
			"the processes that read files start with a network")
	}
	if holds, err := r.processes.Confined(d.ctx); runtime.GOOS == "linux" && len(holds) < len(confinements) {
		d.warn(check, "run a kernel with Landlock and seccomp (Linux 5.13 or newer; lsm=landlock,… if it is off)",
			"the processes that read files are confined by %v only, not by %v (%v)", holds, confinements, err)
	}
	path, err := exec.LookPath("pdftotext")
	switch {
	case d.c.pdfReader == string(pdftext.UseOwn):
		d.ok(check, "by our own reader")
	case err != nil && d.c.pdfReader == string(pdftext.UseAuto):
		d.warn(check, mend, "pdftotext (poppler) is not in PATH: PDF files that our own reader cannot read are refused")
	default:
		d.ok(check, "pdftotext is %s", path)
	}
}

// embeddedReader checks the weights that the embedded judge reads with.
func (d *doctor) embeddedReader() {
	const check = "embedded judge"
	if d.c.reader.path != "" {
		d.chosenReader(check)
		return
	}
	if err := d.own.Fault(); err != nil {
		d.fault(check, "install the program again: its file is damaged",
			"its reader cannot be used, so claims are judged by their words only: %v", err)
		return
	}
	d.ok(check, "version %s", d.own.Judge().Version())
}

// chosenReader checks the reader of the operator's choice, and makes nothing.
func (d *doctor) chosenReader(check string) {
	f := &d.c.reader
	labels, err := published.ParseLabels(f.labels)
	if err != nil {
		d.fault(check, "see docs/reader.md", "--reader-labels: %s", explain(err))
		return
	}
	file, digest := f.path, ""
	if info, statErr := os.Stat(f.path); statErr != nil || !info.Mode().IsRegular() {
		if file, digest, err = published.Examine(f.path, d.c.data, labels); err != nil {
			d.fault(check, "see docs/reader.md", "--reader %s: %s", f.path, explain(err))
			return
		}
	}
	if file == "" {
		d.ok(check, "the reader %s can be used; the server makes it ready at its first start", digest)
		return
	}
	model, err := published.Open(file)
	if err == nil {
		digest = model.Source()
		err = errors.Join(model.Check(), model.Close())
	}
	if err != nil {
		d.fault(check, "delete this file, and give the model's folder to have it made again", "%s: %v", file, err)
		return
	}
	d.ok(check, "it reads with %s", digest)
}
