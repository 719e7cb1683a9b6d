package io.leaderelection.annotation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.AnnotationVisitor;
import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Finds the calls on {@code this} in the code of one instance method, by following which
 * slots of the operand stack hold {@code this}. Whatever else a slot holds is of no
 * interest.
 */
final class SelfCallVisitor extends MethodVisitor {

	private final Consumer<String> calls;

	private final Runnable annotated;

	private final Map<Label, List<Boolean>> stacks = new HashMap<>();

	/** One element per slot; a long takes two. */
	private List<Boolean> stack = new ArrayList<>();

	/**
	 * Visits one method.
	 * @param calls told the name and descriptor of each method that is called
	 * @param annotated told if the method is annotated
	 */
	SelfCallVisitor(Consumer<String> calls, Runnable annotated) {
		super(SpringAsmInfo.ASM_VERSION);
		this.calls = calls;
		this.annotated = annotated;
	}

	@Override
	public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
		this.annotated.run();
		return null;
	}

	@Override
	public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
		int sizes = Type.getArgumentsAndReturnSizes(descriptor);
		pop((sizes >> 2) - 1);
		if (opcode != Opcodes.INVOKESTATIC && pop() && !name.equals("<init>")) {
			this.calls.accept(name + descriptor);
		}
		push(sizes & 3);
	}

	@Override
	public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
		int sizes = Type.getArgumentsAndReturnSizes(descriptor);
		int captured = (sizes >> 2) - 1;
		boolean first = captured > 0 && captured <= this.stack.size() && this.stack.get(this.stack.size() - captured);
		pop(captured);
		push(sizes & 3);
		for (Object argument : arguments) {
			if (first && argument instanceof Handle handle && handle.getTag() != Opcodes.H_INVOKESTATIC) {
				this.calls.accept(handle.getName() + handle.getDesc());
			}
		}
	}

	@Override
	public void visitVarInsn(int opcode, int index) {
		switch (opcode) {
			case Opcodes.ALOAD -> this.stack.add(index == 0);
			case Opcodes.ILOAD, Opcodes.FLOAD -> push(1);
			case Opcodes.LLOAD, Opcodes.DLOAD -> push(2);
			case Opcodes.LSTORE, Opcodes.DSTORE -> pop(2);
			case Opcodes.RET -> {
			}
			default -> pop(1);
		}
	}

	@Override
	public void visitInsn(int opcode) {
		switch (opcode) {
			case Opcodes.DUP -> duplicate(1, 0);
			case Opcodes.DUP_X1 -> duplicate(1, 1);
			case Opcodes.DUP_X2 -> duplicate(1, 2);
			case Opcodes.DUP2 -> duplicate(2, 0);
			case Opcodes.DUP2_X1 -> duplicate(2, 1);
			case Opcodes.DUP2_X2 -> duplicate(2, 2);
			case Opcodes.SWAP -> {
				duplicate(1, 1);
				pop(1);
			}
			case Opcodes.IRETURN, Opcodes.LRETURN, Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ARETURN, Opcodes.RETURN,
					Opcodes.ATHROW ->
				this.stack = new ArrayList<>();
			default -> change(growth(opcode));
		}
	}

	/**
	 * By how many slots the stack grows. None of these instructions is about objects, but
	 * for those that take one away.
	 */
	private static int growth(int opcode) {
		return switch (opcode) {
			case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1 -> 2;
			case Opcodes.ACONST_NULL, Opcodes.ICONST_M1, Opcodes.ICONST_0, Opcodes.ICONST_1, Opcodes.ICONST_2,
					Opcodes.ICONST_3, Opcodes.ICONST_4, Opcodes.ICONST_5, Opcodes.FCONST_0, Opcodes.FCONST_1,
					Opcodes.FCONST_2, Opcodes.I2L, Opcodes.I2D, Opcodes.F2L, Opcodes.F2D ->
				1;
			case Opcodes.IALOAD, Opcodes.FALOAD, Opcodes.AALOAD, Opcodes.BALOAD, Opcodes.CALOAD, Opcodes.SALOAD,
					Opcodes.POP, Opcodes.IADD, Opcodes.FADD, Opcodes.ISUB, Opcodes.FSUB, Opcodes.IMUL, Opcodes.FMUL,
					Opcodes.IDIV, Opcodes.FDIV, Opcodes.IREM, Opcodes.FREM, Opcodes.ISHL, Opcodes.LSHL, Opcodes.ISHR,
					Opcodes.LSHR, Opcodes.IUSHR, Opcodes.LUSHR, Opcodes.IAND, Opcodes.IOR, Opcodes.IXOR, Opcodes.L2I,
					Opcodes.L2F, Opcodes.D2I, Opcodes.D2F, Opcodes.FCMPL, Opcodes.FCMPG, Opcodes.MONITORENTER,
					Opcodes.MONITOREXIT ->
				-1;
			case Opcodes.POP2, Opcodes.LADD, Opcodes.DADD, Opcodes.LSUB, Opcodes.DSUB, Opcodes.LMUL, Opcodes.DMUL,
					Opcodes.LDIV, Opcodes.DDIV, Opcodes.LREM, Opcodes.DREM, Opcodes.LAND, Opcodes.LOR, Opcodes.LXOR ->
				-2;
			case Opcodes.IASTORE, Opcodes.FASTORE, Opcodes.AASTORE, Opcodes.BASTORE, Opcodes.CASTORE, Opcodes.SASTORE,
					Opcodes.LCMP, Opcodes.DCMPL, Opcodes.DCMPG ->
				-3;
			case Opcodes.LASTORE, Opcodes.DASTORE -> -4;
			default -> 0;
		};
	}

	@Override
	public void visitIntInsn(int opcode, int operand) {
		if (opcode != Opcodes.NEWARRAY) {
			push(1);
		}
	}

	@Override
	public void visitLdcInsn(Object value) {
		boolean wide = value instanceof Long || value instanceof Double
				|| value instanceof ConstantDynamic dynamic && dynamic.getSize() == 2;
		push(wide ? 2 : 1);
	}

	@Override
	public void visitTypeInsn(int opcode, String type) {
		if (opcode == Opcodes.NEW) {
			push(1);
		}
		else if (opcode != Opcodes.CHECKCAST) {
			pop(1);
			push(1);
		}
	}

	@Override
	public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
		int size = Type.getType(descriptor).getSize();
		boolean put = opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC;
		boolean field = opcode == Opcodes.PUTFIELD || opcode == Opcodes.GETFIELD;
		pop((put ? size : 0) + (field ? 1 : 0));
		push(put ? 0 : size);
	}

	@Override
	public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
		pop(dimensions);
		push(1);
	}

	@Override
	public void visitJumpInsn(int opcode, Label target) {
		boolean always = opcode == Opcodes.GOTO || opcode == Opcodes.JSR;
		boolean comparesTwo = opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE;
		pop(always ? 0 : comparesTwo ? 2 : 1);
		remember(target);
		if (always) {
			this.stack = new ArrayList<>();
		}
	}

	@Override
	public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
		visitSwitch(otherwise, labels);
	}

	@Override
	public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
		visitSwitch(otherwise, labels);
	}

	private void visitSwitch(Label otherwise, Label[] labels) {
		pop(1);
		remember(otherwise);
		for (Label label : labels) {
			remember(label);
		}
		this.stack = new ArrayList<>();
	}

	@Override
	public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
		this.stacks.put(handler, List.of(false));
	}

	private void remember(Label target) {
		this.stacks.putIfAbsent(target, List.copyOf(this.stack));
	}

	@Override
	public void visitLabel(Label label) {
		List<Boolean> known = this.stacks.get(label);
		if (known != null) {
			this.stack = new ArrayList<>(known);
		}
	}

	private void change(int growth) {
		push(Math.max(0, growth));
		pop(Math.max(0, -growth));
	}

	private void push(int slots) {
		for (int i = 0; i < slots; i++) {
			this.stack.add(false);
		}
	}

	private boolean pop() {
		return !this.stack.isEmpty() && this.stack.remove(this.stack.size() - 1);
	}

	private void pop(int slots) {
		for (int i = 0; i < slots; i++) {
			pop();
		}
	}

	/** Copies the topmost slots and puts the copy below the given number of others. */
	private void duplicate(int slots, int below) {
		int from = this.stack.size() - slots;
		if (from < below) {
			push(slots);
			return;
		}
		this.stack.addAll(from - below, List.copyOf(this.stack.subList(from, from + slots)));
	}

}
