package io.leaderelection.annotation;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * The calls that a class makes on itself: they pass no proxy, so nothing guards them. A
 * call is harmless if whoever was called from outside is guarded by the same election.
 *
 * <p>
 * Seen are calls on {@code this} in the class and its superclasses, in lambdas and method
 * references, too. Not seen are calls from other classes, inner ones included, and on
 * other names for the same object.
 */
final class SelfCalls {

	private static final Log logger = LogFactory.getLog(SelfCalls.class);

	private final GuardedClass guarded;

	private final Map<String, Guard> guards = new HashMap<>();

	private final Map<String, Code> methods = new LinkedHashMap<>();

	private SelfCalls(GuardedClass guarded) {
		this.guarded = guarded;
		for (Guard guard : guarded.guards()) {
			this.guards.put(signature(guard.method()), guard);
		}
	}

	/**
	 * Finds the calls past the guard.
	 * @param guarded a class with guarded methods
	 * @return a problem for each
	 */
	static List<Problem> pastTheGuard(GuardedClass guarded) {
		SelfCalls calls = new SelfCalls(guarded);
		for (Class<?> type = guarded.type(); type != null && type != Object.class; type = type.getSuperclass()) {
			if (!calls.read(type)) {
				return List.of();
			}
		}
		return calls.findAll();
	}

	private static String signature(Method method) {
		return method.getName() + Type.getMethodDescriptor(method);
	}

	private boolean read(Class<?> type) {
		try (InputStream bytes = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			if (bytes == null) {
				logger.debug("%s cannot be searched for calls of its own methods: it has no class file"
					.formatted(type.getName()));
				return false;
			}
			new ClassReader(bytes).accept(new Reader(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			return true;
		}
		catch (IOException | IllegalArgumentException ex) {
			logger.debug("%s cannot be searched for calls of its own methods".formatted(type.getName()), ex);
			return false;
		}
	}

	private List<Problem> findAll() {
		List<Problem> problems = new ArrayList<>();
		this.methods.forEach((signature, code) -> {
			if (code.calledFromOutside) {
				findFrom(signature, problems);
			}
		});
		return problems;
	}

	/** Follows the calls that are made while a call from outside is under way. */
	private void findFrom(String entry, List<Problem> problems) {
		Guard own = this.guards.get(entry);
		Set<String> seen = new HashSet<>(Set.of(entry));
		Deque<String> open = new ArrayDeque<>(seen);
		while (!open.isEmpty()) {
			Code code = this.methods.get(open.remove());
			for (String called : (code != null) ? code.called : Set.<String>of()) {
				if (seen.add(called)) {
					Guard guard = this.guards.get(called);
					if (guard == null) {
						open.add(called);
					}
					else if (own == null || !own.election().equals(guard.election())) {
						problems.add(problem(entry, own, guard));
					}
				}
			}
		}
	}

	private Problem problem(String entry, @Nullable Guard own, Guard guard) {
		String caller = entry.substring(0, entry.indexOf('('));
		return Problem.of(this.guarded.type(),
				"calls its own %s() in %s%s, which passes no proxy, so that nothing guards it".formatted(
						guard.method().getName(), caller.equals("<init>") ? "its constructor" : caller + "()",
						(own != null) ? " under another election" : ""),
				("Annotate the caller as well, or move %s() to a bean of its own. To start all the same, set "
						+ "leader-election.leader-only.self-invocation=warn")
					.formatted(guard.method().getName()));
	}

	/**
	 * What is known of the code of one method.
	 */
	private static final class Code {

		private final Set<String> called = new HashSet<>();

		private boolean calledFromOutside;

	}

	/**
	 * Reads the methods of one class. Those of a superclass come after those that
	 * override them, and add to them.
	 */
	private final class Reader extends ClassVisitor {

		Reader() {
			super(SpringAsmInfo.ASM_VERSION);
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_BRIDGE)) != 0) {
				return null;
			}
			Code code = SelfCalls.this.methods.computeIfAbsent(name + descriptor, (key) -> new Code());
			if ((access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC)) == 0 || name.equals("<init>")) {
				code.calledFromOutside = true;
			}
			// what a framework may call, like a private @PostConstruct method
			Runnable annotated = () -> code.calledFromOutside = true;
			return new SelfCallVisitor((called) -> code.called.add(called), annotated);
		}

	}

}
