package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/app"
	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/domain/access"
	"sanad/internal/domain/live"
	"sanad/internal/handlers"
	"sanad/internal/importers"
	"sanad/internal/keys"
	"sanad/internal/lake"
	"sanad/internal/mails"
	"sanad/internal/otlp"
	"sanad/internal/pdftext"
	"sanad/internal/quota"
	"sanad/internal/telemetry"
)

func newServe(io streams) *cobra.Command {
	var c serveConfig
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the web app and the API", Args: cobra.NoArgs,
		Long: "serve serves the web app and the API until SIGTERM or Ctrl-C. On an address that others reach,\n" +
			"passwords need TLS: give --tls-cert and --tls-key, or let a proxy do it and give --trust-proxy and\n" +
			"--public-url.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if c.configFile, err = cmd.Flags().GetString(configFlag); err != nil {
				return err
			}
			return serve(cmd.Context(), c, io)
		},
	}
	c.flags(cmd)
	return cmd
}

// flags adds all flags of the server.
func (c *serveConfig) flags(cmd *cobra.Command) {
	c.dataFlags(cmd, "data")
	c.addrFlag(cmd)
	c.reach.add(cmd)
	c.oidc.add(cmd)
	c.openfga.add(cmd)
	c.watch.add(cmd)
	c.rate.add(cmd)
	c.work.add(cmd)
	c.role.add(cmd)
	c.webhook.add(cmd)
	c.models.add(cmd)
	c.mail.add(cmd)
	c.memory.add(cmd)
	c.contact.add(cmd)
	c.forbidden.add(cmd)
	c.reader.add(cmd)
	cmd.Flags().StringVar(&c.otlpAddr, "otlp-grpc-addr", "",
		"address to take traces at by OTLP over gRPC, as 127.0.0.1:4317, with the same tokens and certificate; default: none")
	cmd.Flags().DurationVar(&c.drain, "drain", 0,
		"how long a server that is told to stop goes on answering, while /readyz says that it stops, so that a balancer "+
			"sends it nothing more before it ends; up to 1m")
	cmd.Flags().IntVar(&c.maxDocument, "max-document", importers.DocumentBytes>>20,
		"largest document that is accepted, in MiB")
	cmd.Flags().StringVar(&c.pdfReader, "pdf-reader", string(pdftext.UseAuto),
		"what reads PDF: sanad, pdftotext (poppler, from PATH), or auto: sanad, and pdftotext, if installed, for files "+
			"that sanad cannot read")
	cmd.Flags().StringVar(&c.lake, "lake", "",
		"where evidence bundles are stored: a folder (file:///…) or an S3-compatible bucket (s3://NAME?…); default: a "+
			"folder below --data")
	cmd.Flags().StringVar(&c.traceViewer, "trace-viewer", "",
		"address of a trace in your trace viewer, containing {trace_id}; packs link to it")
}

// serveConfig holds the flags of serve.
type serveConfig struct {
	config
	reach     reachFlags
	oidc      oidcFlags
	openfga   openfgaFlags
	watch     watchFlags
	rate      rateFlags
	work      workFlags
	role      processFlag
	webhook   webhookFlags
	models    modelAllow
	mail      mailFlags
	memory    memoryFlag
	contact   contactFlag
	forbidden forbiddenFlag

	otlpAddr    string // "" for none
	maxDocument int    // MiB; 0 for the default
	pdfReader   string // auto, sanad or pdftotext; "" for auto
	traceViewer string // with {trace_id}
	lake        string // URL; "" for a folder below data
	drain       time.Duration
	gallery     bool         // of the demo
	guide       string       // of the demo: id of the session of the guided tour
	listener    net.Listener // of the demo, which has said its address; nil to listen at addr
}

// server is the checked configuration, before anything is opened.
type server struct {
	reach
	permissions
	role         role
	drain        time.Duration
	process      string // name of this one among those that serve the store
	box          *keys.Box
	oidc         *auth.OIDC
	metricsToken string
	checking     time.Duration // of each minute, for checking all content; 0 for no check
	traces       *telemetry.Traces
	embedded     *app.Embedded
	imports      importers.Options // without readers of files: jobs have more time than requests
	readers      fileReaders
	rate         handlers.Rate
	logins       handlers.LoginFailures
	memory       *quota.Pool // that requests and jobs share
	contacts     []string    // of security.txt
	forbidden    *auth.Forbidden

	webhookNetworks []netip.Prefix // that webhooks may go to besides public ones
	modelNetworks   []netip.Prefix // that models' endpoints may be in besides public ones
	mail            *mailing       // nil if no mail server is configured

	traceViewer string
	gallery     bool
	guide       string
	lake        *lake.Lake
	otlp        net.Listener // of traces by gRPC, nil if none
}

// read checks everything that can be checked before anything is opened.
func (c *serveConfig) read(ctx context.Context, log *slog.Logger) (s server, err error) {
	if most := importers.MaxBytes >> 20; c.maxDocument < 0 || c.maxDocument > most {
		return s, fmt.Errorf("--max-document must be 1 to %d (MiB), or 0 for the default", most)
	}
	s.imports.DocumentBytes, s.gallery = c.maxDocument<<20, c.gallery
	s.guide = c.guide
	if s.readers, err = newFileReaders(pdftext.Use(c.pdfReader)); err != nil {
		return s, err
	}
	if s.traceViewer = c.traceViewer; s.traceViewer != "" {
		if err := checkTraceViewer(s.traceViewer); err != nil {
			return s, err
		}
	}
	if err := errors.Join(c.rate.check(), c.work.check(), c.memory.check(), c.contact.check()); err != nil {
		return s, err
	}
	if s.drain = c.drain; s.drain < 0 || s.drain > time.Minute {
		return s, errors.New("--drain must be 0 to 1m")
	}
	if s.role, err = c.role.read(); err != nil {
		return s, err
	}
	if s.role == roleWorker && c.otlpAddr != "" {
		return s, errors.New("--otlp-grpc-addr is for a process that answers requests; a worker answers none")
	}
	s.contacts = c.contact.uris
	if s.forbidden, err = c.forbidden.read(); err != nil {
		return s, err
	}
	s.rate = handlers.Rate{PerSecond: c.rate.perSecond, Burst: c.rate.burst}
	s.logins = handlers.LoginFailures{PerMinute: c.rate.loginPerMinute, Burst: c.rate.loginBurst}
	if s.modelNetworks, err = c.models.networks(); err != nil {
		return s, err
	}
	if s.webhookNetworks, err = c.webhook.networks(); err != nil {
		return s, err
	}
	if s.reach, err = c.reach.read(); err != nil {
		return s, err
	}
	if s.mail, err = c.mail.read(s.public); err != nil {
		return s, err
	}
	if s.box, err = c.box(); err != nil {
		return s, failure{err}
	}
	if s.oidc, err = c.oidc.client(s.public); err != nil {
		return s, err
	}
	if s.permissions, err = newAuthorizer(c.openfga, log); err != nil {
		return s, err
	}
	if s.checking = c.watch.checking; s.checking < 0 || s.checking > time.Minute {
		return s, errors.New("--check-per-minute must be 0 to 1m")
	}
	if s.metricsToken, err = c.watch.metricsToken(); err != nil {
		return s, err
	}
	if s.traces, err = telemetry.TracesFromEnvironment(ctx,
		func(err error) { log.Warn("traces", "err", err) }); err != nil {
		return s, failure{fmt.Errorf("OpenTelemetry: %w", err)}
	}
	return s, nil
}

// serve runs the app until ctx ends. It says its address first: to open the store may take long, and requests wait.
func serve(ctx context.Context, c serveConfig, io streams) error {
	log := newLog(io.err)
	s, err := c.read(ctx, log)
	if err != nil {
		return err
	}
	if unknown := unknownVariables(os.Environ()); len(unknown) > 0 {
		log.Warn("unknown variables; docs/flags.md lists the known ones", "variables", unknown)
	}
	for _, says := range c.changeableFiles() {
		log.Warn(says)
		fmt.Fprintln(io.err, calledBy()+": warning:", says)
	}
	if s.embedded, err = c.reader.open(io.embedded, c.data); err != nil {
		return err
	}
	c.memory.apply(log)
	s.memory = c.work.pool(log)
	listener := c.listener
	if listener == nil {
		if listener, err = listen(c.addr); err != nil {
			return err
		}
		fmt.Fprintf(io.out, "Sanad listens on %s\n", s.listensAt(listener))
		if s.public != "" {
			fmt.Fprintf(io.out, "People open %s\n", s.public)
		}
	}
	if c.otlpAddr != "" {
		if s.otlp, err = listenAt("--otlp-grpc-addr", c.otlpAddr); err != nil {
			_ = listener.Close() // no connection was accepted yet
			return err
		}
	}
	c.log, c.rolesChanged = log, s.changed
	if s.mail != nil {
		c.daily = &s.mail.daily
	}
	store, err := s.open(ctx, &c)
	if err != nil {
		_ = listener.Close() // no connection was accepted yet
		if s.otlp != nil {
			_ = s.otlp.Close()
		}
		return err
	}
	s.warn(listener, log, io.err)
	warnOlderRules(ctx, store, log)
	if s.otlp != nil {
		fmt.Fprintf(io.out, "Traces are taken at %s (OTLP over gRPC)\n", s.otlp.Addr())
	}
	return asFailure(errors.Join(s.run(ctx, listener, store, log), s.lake.Close(), store.Close()))
}

// open opens the store and the lake.
func (s *server) open(ctx context.Context, c *serveConfig) (*db.Store, error) {
	c.creates = true
	store, _, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	s.process = processName()
	if err := store.Serve(ctx, s.process); err != nil {
		return nil, failure{errors.Join(err, store.Close())}
	}
	address, err := c.lakeAddress()
	if err == nil {
		s.lake, err = lake.Open(ctx, address, filepath.Join(c.data, backup.LakeFolder))
	}
	if err != nil {
		return nil, failure{errors.Join(fmt.Errorf("--lake: %w", err), store.Close())}
	}
	return store, nil
}

// processName names this process for an operator: host, process id, and a random part for hosts of the same name, as in
// containers.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "a machine without a name"
	}
	return fmt.Sprintf("%s, process %d (%.6s)", host, os.Getpid(), newID())
}

// lakeAddress returns the lake's URL: --lake, else below --files; "" for the folder below --data.
func (c *serveConfig) lakeAddress() (string, error) {
	if c.lake != "" {
		return c.lake, nil
	}
	places, err := c.filePlaces()
	return places.lake, err
}

// run serves until ctx ends, together with what this process does in the background. It returns when all have ended.
func (s *server) run(ctx context.Context, l net.Listener, store *db.Store, log *slog.Logger) error {
	beside, stopBeside := context.WithCancel(ctx)
	worked := s.work(beside, store, log)
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx)) // until the last request and job
	defer stopServing()
	var running, heartbeats sync.WaitGroup
	heartbeats.Go(func() { store.KeepServing(serving, s.process) })
	running.Go(func() { s.follow(beside, store, log) }) // what it knows of OpenFGA is this process's
	if runtime.GOOS == "linux" {
		running.Go(func() { s.readers.warn(beside, log) })
	}
	running.Go(func() { freeStartMemory(beside) })
	running.Go(func() { store.WatchFailures(beside) }) // those of this process
	running.Go(func() { store.WatchClock(beside) })
	if s.role.works() {
		if s.checking > 0 {
			running.Go(func() { store.WatchContents(beside, s.checking) })
		}
		running.Go(func() { s.retain(beside, store, log) })
		running.Go(func() { tellDue(beside, store, log) })
		running.Go(func() { newDeliverer(store, s.webhookNetworks, log).Run(beside) })
	}
	o := s.options(newServer(store, s.box, log), ctx.Done())
	if s.mail != nil {
		post := s.newPost(store, s.authorizer, s.box, log)
		o.Mail = s.mailInfo(post)
		if s.role.works() {
			running.Go(func() { post.Run(beside) })
		}
	}
	app := s.role.handler(handlers.New(o))
	if s.otlp != nil {
		running.Go(func() { s.takeTraces(ctx, app, log) })
	}
	err := serveUntil(ctx, l, app, s.certificate, s.drain, log)
	stopBeside()
	running.Wait()
	<-worked
	stopServing()
	heartbeats.Wait()
	s.sendTraces(log)
	return err
}

// takeTraces takes traces by gRPC until ctx ends.
func (s *server) takeTraces(ctx context.Context, app http.Handler, log *slog.Logger) {
	o := otlp.Options{App: app, MaxBody: live.MaxBody, Log: log}
	if s.certificate != nil {
		o.TLS = s.certificate.config(log)
	}
	if err := otlp.Serve(ctx, s.otlp, o); err != nil && ctx.Err() == nil {
		log.Error("traces are no longer taken by gRPC", "err", err)
	}
}

// retainEvery is how often retention periods are looked at.
const retainEvery = time.Hour

// retain finishes erasures that a killed process left, and from then on erases what retention periods have ended for,
// and what is kept for a time only and is too old.
func (s *server) retain(ctx context.Context, store *db.Store, log *slog.Logger) {
	for tick := time.NewTicker(retainEvery); ; {
		n, err := app.Retain(ctx, store, s.lake)
		if err != nil && ctx.Err() == nil {
			log.Error("erasure", "err", err)
		}
		if n > 0 {
			log.Info("retention periods were over", "erased", n)
		}
		for _, old := range []struct {
			what  string
			prune func(context.Context) (int64, error)
		}{{"notifications", store.PruneNotices}, {"mails", store.PruneMails}, {"traces", store.PruneTraces},
			{"download links", store.PruneExports}} {
			if _, err := old.prune(ctx); err != nil && ctx.Err() == nil {
				log.Error("old "+old.what+" are left", "err", err)
			}
		}
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
	}
}

// dueEvery is how often due dates are looked at.
const dueEvery = time.Minute

// tellDue tells people what is due tomorrow and what is late (rule N-4), reminds approvers (rule N-7), and tells of
// deputies (rule P-31).
func tellDue(ctx context.Context, store *db.Store, log *slog.Logger) {
	tick := time.NewTicker(dueEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if _, err := store.TellDue(ctx); err != nil && ctx.Err() == nil {
			log.Error("what is due was not told; it is tried again", "err", err)
		}
		if _, err := store.RemindApprovers(ctx); err != nil && ctx.Err() == nil {
			log.Error("approvers were not reminded of what waits for them; it is tried again", "err", err)
		}
		if _, err := store.TellDeputies(ctx); err != nil && ctx.Err() == nil {
			log.Error("people were not told of their deputies; it is tried again", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// newServer returns the options that every server shares.
func newServer(store *db.Store, box *keys.Box, log *slog.Logger) handlers.Options {
	return handlers.Options{
		Store: store, Log: log, Now: store.Now, NewID: newID, Keys: box,
		Hasher:     auth.NewHasher(runtime.NumCPU() / 2), // each hash takes 19 MiB and a whole core (rule SEC-2)
		Authorizer: access.ByRole{}, Version: version(),
	}
}

// options adds the flags to the shared options.
func (s *server) options(o handlers.Options, stopping <-chan struct{}) handlers.Options {
	o.Stopping, o.WebhookAllow = stopping, s.webhookNetworks
	o.ModelTest = modelTest(s.modelNetworks, o.Now)
	o.Authorizer, o.OIDC = s.authorizer, s.oidc
	o.Secure, o.TrustProxy, o.Hosts, o.Subdomains = s.secure, s.trustProxy, s.hosts, s.subdomains
	o.Public = s.public
	o.MetricsToken, o.Traces, o.Import = s.metricsToken, s.traces, s.readers.soon(s.imports)
	o.TraceViewer, o.Rate, o.SecurityContacts = s.traceViewer, s.rate, s.contacts
	o.Forbidden = s.forbidden
	o.LoginFailures, o.Work = s.logins, s.memory
	o.Lake, o.Gallery, o.Guide, o.Embedded = s.lake, s.gallery, s.guide, s.embedded
	return o
}

// tracesGrace limits sending the last traces, so that an unreachable collector does not delay the shutdown.
const tracesGrace = 2 * time.Second

func (s *server) sendTraces(log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), tracesGrace)
	defer cancel()
	if err := s.traces.Close(ctx); err != nil {
		log.Warn("the last traces were not sent", "err", err)
	}
}

// checkTraceViewer refuses addresses that packs could not link to.
func checkTraceViewer(address string) error {
	u, err := url.Parse(strings.ReplaceAll(address, "{trace_id}", "0"))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || !strings.Contains(address,
		"{trace_id}") {
		return errors.New("--trace-viewer must be an http or https address that contains {trace_id}")
	}
	return nil
}

// newPost returns the sender of mails.
func (s *server) newPost(store *db.Store, authorizer access.Authorizer, box *keys.Box, log *slog.Logger) *mails.Post {
	return mails.New(mails.Options{Store: store, Log: log, Now: store.Now, Jitter: rand.Float64, Authorizer: authorizer,
		MAC: box.MAC, Server: s.mail.server, From: s.mail.from, FromName: "Sanad", Base: s.public})
}

// mailInfo returns what pages and metrics show of mail, nil if no mail server is configured.
func (s *server) mailInfo(post *mails.Post) *handlers.Mail {
	if post == nil {
		return nil
	}
	c := &post.Counts
	return &handlers.Mail{From: s.mail.from, Daily: s.mail.daily, Counts: func() map[string]uint64 {
		return map[string]uint64{"sent": c.Sent.Load(), "put_off": c.PutOff.Load(), "failed": c.Failed.Load(),
			"dropped": c.Dropped.Load()}
	}}
}
