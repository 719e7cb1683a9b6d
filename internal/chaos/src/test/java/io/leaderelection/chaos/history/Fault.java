package io.leaderelection.chaos.history;

/**
 * Something that was done to a node or to the store.
 *
 * @param kind what was done
 * @param target the process that it was done to; the node, if it is felt by the next
 * process of that node, too; or {@link #STORE}
 * @param begun when it began to be done
 * @param inForce since when it was known to be done
 * @param ended when it began to be undone
 * @param detail what else there is to say
 */
public record Fault(FaultKind kind, String target, long begun, long inForce, long ended, String detail) {

	/** The target of a fault that all nodes feel. */
	public static final String STORE = "store";

	long length() {
		return this.ended - this.begun;
	}

	/** Whether it was done to a process alone. */
	boolean concerns(String process) {
		return process.equals(this.target) || process.startsWith(this.target + ".");
	}

	/** Whether a process may lose its leadership by it. */
	boolean mayUnseat(String process) {
		return this.kind.isOfAll() ? mayProlong(process) : concerns(process);
	}

	/** Whether it may keep others from leading after a process. */
	boolean mayProlong(String former) {
		return this.kind != FaultKind.START || former.isEmpty();
	}

	@Override
	public String toString() {
		return "%s of %s%s".formatted(this.kind.label(), this.target, this.detail.isEmpty() ? "" : ", " + this.detail);
	}

}
