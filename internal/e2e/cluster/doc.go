// Package cluster tests Sanad on several nodes with real servers: PostgreSQL with a synchronous standby, PgBouncer,
// HAProxy and versitygw. Its tests run by make cluster only.
package cluster
